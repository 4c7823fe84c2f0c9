import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { RequestPipe } from '../../common/request.pipe.js';
import { OptionalBoolean, OptionalText, Text } from '../../common/validation.js';
import type { UploadWish } from '../table-wish.js';

/** What is told of a table beside its data. The fields can also stand in a form or, beside a body that is the CSV itself, in the query string. */
export class UploadFieldsDto {
  @Text({
    maxLength: 1_000,
    description: 'A lower-case letter, then lower-case letters, digits or `_`.',
    example: 'prices',
  })
  table_name!: string;

  @OptionalText({ maxLength: 10_000 })
  description?: string;

  @Transform(({ value }: { value: unknown }) => (value === 'true' ? true : value === 'false' ? false : value))
  @OptionalBoolean({ description: 'Whether only its own account can see it; needs the plan premium.' })
  is_private?: boolean;
}

/** A CSV to be made a table. */
export class UploadCsvDto extends UploadFieldsDto {
  /** Never in memory: it is staged while the body arrives. */
  @ApiProperty({ description: 'CSV text with a header line, up to 200 MB.', example: 'city,price\nParis,5.5\n' })
  data!: string;
}

const pipe = new RequestPipe();

/**
 * What the fields beside `data` ask for.
 *
 * @throws InvalidRequestError
 */
export async function toUploadWish(fields: Readonly<Record<string, unknown>>): Promise<UploadWish> {
  const dto = (await pipe.transform(fields, { type: 'query', metatype: UploadFieldsDto })) as UploadFieldsDto;
  return { name: dto.table_name, description: dto.description ?? '', isPrivate: dto.is_private ?? false };
}
