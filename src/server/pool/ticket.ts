/** What decides when it is a lookup's turn to get a token. */
export type Ticket = {
  /** Stands for the visitor's network; no address can be derived from it. */
  readonly network: number;
  /** How many times the default difficulty the proof had. */
  readonly work: number;
};

/** The tickets of all who wait for the same lookup; `onMore` hears of those who join. */
export type Tickets = { readonly all: Ticket[]; onMore: (ticket: Ticket) => void };

export const addTicket = (tickets: Tickets, ticket: Ticket): void => {
  tickets.all.push(ticket);
  tickets.onMore(ticket);
};

export const ticketsOf = (ticket: Ticket): Tickets => ({ all: [ticket], onMore: () => {} });
