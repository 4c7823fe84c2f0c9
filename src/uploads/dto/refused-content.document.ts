import { ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorDocument } from '../../http/api-errors.decorator.js';

/** The body of errors in uploaded data, for the OpenAPI document. */
export class RefusedContentDocument extends ErrorDocument {
  @ApiPropertyOptional({ type: 'integer', description: 'Line of the text, counted from 1.' })
  line?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'Row of data, counted from 1.' })
  row?: number;

  @ApiPropertyOptional({ description: 'Name of the column.' })
  column?: string;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Place of the column in the header, or of the value in its line of CSV, counted from 1.',
  })
  position?: number;

  @ApiPropertyOptional({ description: 'The beginning of the value at fault.' })
  value?: string;
}
