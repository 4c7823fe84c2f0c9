/** Codes of the characters that the syntax of CSV, JSON, numbers and times is made of. */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const PLUS = 0x2b;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const POINT = 0x2e;
export const DIGIT_0 = 0x30;
export const DIGIT_9 = 0x39;
export const COLON = 0x3a;
export const CAPITAL_E = 0x45;
export const CAPITAL_T = 0x54;
export const CAPITAL_Z = 0x5a;
export const OPENING_BRACKET = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSING_BRACKET = 0x5d;
export const SMALL_E = 0x65;
export const SMALL_U = 0x75;
export const OPENING_BRACE = 0x7b;
export const CLOSING_BRACE = 0x7d;

/** What a text may begin with to tell that it is UTF-8. */
export const BYTE_ORDER_MARK = Buffer.from('\ufeff');
