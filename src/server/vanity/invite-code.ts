const CODE = /^[A-Za-z0-9-]{2,32}$/;
const LINK = /^(?:https?:\/\/)?(?:www\.)?(?:discord\.gg|discord(?:app)?\.com\/invite)\/([^/?#]+)\/?$/i;

/** The code of an invite that was given as a code or as one of the platform's links; null for anything else. */
export const parseInviteCode = (text: string): string | null => {
  const trimmed = text.trim();
  const code = LINK.exec(trimmed)?.[1] ?? trimmed;
  return CODE.test(code) ? code : null;
};
