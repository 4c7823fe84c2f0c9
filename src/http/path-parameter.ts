import { ApiParam, type ApiParamOptions } from '@nestjs/swagger';

/** A parameter that comes from the path, with its description in the OpenAPI document. */
export function pathParameter(parameter: ParameterDecorator, ...documented: ApiParamOptions[]): ParameterDecorator {
  return (controller, method, index) => {
    if (method === undefined) throw new Error('A constructor has no path');
    parameter(controller, method, index);
    const descriptor = Object.getOwnPropertyDescriptor(controller, method);
    for (const one of descriptor ? documented : []) ApiParam(one)(controller, method, descriptor as PropertyDescriptor);
  };
}
