// OpenAPI knows no parameter whose name only begins in a certain way, and generated clients cannot send the object that comes
// next to it, so that these parameters are described in words.

/** How calls that start an execution take the values of parameters in the query string, for the OpenAPI document. */
export const VALUES_IN_QUERY_STRING =
  'Values of the parameters can also stand in the query string one by one, unless the body has `query_parameters`: each name is `params.` ' +
  'and the name of a parameter, as in `params.country=FR`; a repeated one makes a list.';

/** How calls that read the latest result are narrowed by the values of parameters, for the OpenAPI document. */
export const NARROWED_BY_VALUES =
  'Values of parameters in the query string narrow to runs that had these: each name is `params.` and the name of a parameter, as in ' +
  '`params.country=FR`; a repeated one makes a list.';
