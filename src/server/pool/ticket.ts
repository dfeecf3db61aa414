/** What decides when it is a lookup's turn to get a token. */
export type Ticket = {
  /** Stands for the visitor's network and leads back to no address. */
  readonly network: number;
  /** How many times the default difficulty the proof had. */
  readonly work: number;
};

/** Of all who wait for the same lookup; `onMore` is told of those who join them. */
export type Tickets = { readonly all: Ticket[]; onMore: (ticket: Ticket) => void };

export const addTicket = (tickets: Tickets, ticket: Ticket): void => {
  tickets.all.push(ticket);
  tickets.onMore(ticket);
};

export const ticketsOf = (ticket: Ticket): Tickets => ({ all: [ticket], onMore: () => {} });
