import { Injectable, type PipeTransform } from '@nestjs/common';
import { Config } from '../config/config.js';
import { failpoint } from '../config/failpoint.js';
import { RequestPipe } from '../http/request.pipe.js';
import { Ingest } from '../processes/ingest/ingest.js';
import { stagingFolder } from '../processes/ingest/open-ingest.js';
import { stageUploadBody } from '../processes/ingest/stage-upload-body.js';
import { discard } from '../processes/ingest/staging.js';
import { toCsvOptions, toNewUpload, UploadFieldsDto, UploadInQueryDto } from './dto/upload-csv.dto.js';
import type { NewUpload } from './new-upload.js';
import { MAX_UPLOAD_BYTES, refuseLargerBody, type UploadRequest } from './upload-request.decorator.js';

/**
 * Checks an upload and stages its CSV text. The fields can stand before, after or beside the text,
 * so that they are checked once the whole body has arrived.
 */
@Injectable()
export class StageUpload implements PipeTransform<UploadRequest, Promise<NewUpload>> {
  private readonly fields = new RequestPipe();

  constructor(
    private readonly config: Config,
    private readonly ingest: Ingest,
  ) {}

  /** @throws InvalidRequestError, BodyTooLargeError; nothing stays staged. */
  async transform(request: UploadRequest): Promise<NewUpload> {
    // Also where the body has the same fields, and they win.
    toCsvOptions(await this.check(request.query, UploadInQueryDto));
    refuseLargerBody(request, MAX_UPLOAD_BYTES);
    this.ingest.wake();
    const { fields, data } = await stageUploadBody(request, stagingFolder(this.config), MAX_UPLOAD_BYTES);
    await failpoint('upload-staged');
    try {
      return { ...toNewUpload(await this.check(fields, UploadFieldsDto)), data, signal: request.signal };
    } catch (error) {
      if (data) await discard(data);
      throw error;
    }
  }

  private async check<Dto>(fields: object, metatype: new () => Dto): Promise<Dto> {
    return (await this.fields.transform(fields, { type: 'query', metatype })) as Dto;
  }
}
