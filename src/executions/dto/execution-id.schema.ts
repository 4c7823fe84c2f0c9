/** The id of an execution in a body, for the OpenAPI document. */
export const EXECUTION_ID = {
  description: 'ULID.',
  pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$',
  example: '01K9Z3V7Q4M2W8R6T5Y1X0C9B8',
};
