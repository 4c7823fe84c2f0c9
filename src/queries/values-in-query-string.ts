// OpenAPI has no parameters of which only the beginning of the name is fixed: words describe them.

/** Of calls that start an execution, for the OpenAPI document. */
export const VALUES_IN_QUERY_STRING =
  'Values of the parameters can also stand in the query string one by one, unless the body has `query_parameters`: each name is `params.` ' +
  'and the name of a parameter, as in `params.country=FR`; a repeated one makes a list.';

/** Of calls that read the latest result, for the OpenAPI document. */
export const NARROWED_BY_VALUES =
  'Values of parameters in the query string narrow to runs that had these: each name is `params.` and the name of a parameter, as in ' +
  '`params.country=FR`; a repeated one makes a list.';
