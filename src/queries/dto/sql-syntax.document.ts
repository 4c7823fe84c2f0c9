import { ApiPropertyOptional } from '@nestjs/swagger';
import { ErrorDocument } from '../../http/api-errors.decorator.js';

/** The body of a failure about the text of a query, for the OpenAPI document. */
export class SqlSyntaxDocument extends ErrorDocument {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Line of the text, from 1.' })
  line?: number;

  @ApiPropertyOptional({ type: 'integer', minimum: 1, description: 'Character of the line, from 1.' })
  column?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    description: 'Of the token at `offset`, in UTF-16 code units, like `offset`; 0 at the end of the text.',
  })
  length?: number;

  @ApiPropertyOptional({ description: 'The parameter in whose default the error stands.', example: 'country' })
  parameter?: string;
}
