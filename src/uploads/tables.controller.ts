import {
  applyDecorators,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Post,
  Query,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation, type ApiOperationOptions, ApiTags } from '@nestjs/swagger';
import type { Account } from '../auth/account.js';
import { ApiKeyGuard } from '../auth/api-key.guard.js';
import { CurrentAccount } from '../auth/current-account.decorator.js';
import { RequireScope } from '../auth/require-scope.decorator.js';
import { ApiErrors } from '../http/api-errors.decorator.js';
import { CreateTableDto, toNewEmptyTable } from './dto/create-table.dto.js';
import { ListTablesDto, toFilter } from './dto/list-tables.dto.js';
import { RefusedContentDocument } from './dto/refused-content.document.js';
import { TableListBody, toTableListBody } from './dto/table.body.js';
import {
  RowsInsertedBody,
  TableCreatedBody,
  TableMessageBody,
  TableUploadedBody,
  toRowsInsertedBody,
  toTableCreatedBody,
  toTableMessageBody,
  toTableUploadedBody,
} from './dto/table-change.body.js';
import { ApiUploadCsv, INSERT_BODY, UPLOAD_CSV_BODY } from './dto/upload-bodies.document.js';
import { InsertInQueryDto, toNewRows } from './dto/upload-csv.dto.js';
import type { NewUpload } from './new-upload.js';
import { StageUpload } from './stage-upload.pipe.js';
import { TableParam } from './table.decorator.js';
import type { TableName } from './table.js';
import { TablesService } from './tables.service.js';
import { UploadedData, type UploadRequest } from './upload-request.decorator.js';
import { UploadSlots } from './upload-slots.js';
import { UploadsService } from './uploads.service.js';

/** What the calls that change tables have in common. */
function ChangesTables(operation: ApiOperationOptions, ...errors: number[]): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    RequireScope({ scope: 'read_write', action: 'change tables' }),
    ApiOperation(operation),
    ApiErrors({ status: 400, type: RefusedContentDocument }, 403, 409, 413, ...errors),
  );
}

/** Takes tables in, changes and lists them, each at two paths (`docs/contract.md`, "Tables"). */
@ApiTags('Tables')
@Controller('v1')
@UseGuards(ApiKeyGuard)
export class TablesController {
  constructor(
    private readonly tables: TablesService,
    private readonly uploads: UploadsService,
  ) {}

  @Post(['table/upload/csv', 'uploads/csv'])
  @ChangesTables(
    {
      operationId: 'uploadCsv',
      summary: 'Upload a CSV as a table, in the place of the one of the same name',
      requestBody: UPLOAD_CSV_BODY,
    },
    402,
    415,
  )
  @UseInterceptors(UploadSlots)
  @ApiUploadCsv()
  @ApiOkResponse({ type: TableUploadedBody })
  async upload(
    @UploadedData(StageUpload) upload: NewUpload,
    @CurrentAccount() account: Account,
  ): Promise<TableUploadedBody> {
    return toTableUploadedBody(await this.uploads.upload(account, upload));
  }

  @Post(['table/create', 'uploads'])
  @ChangesTables({ operationId: 'createTable', summary: 'Create a table without rows' }, 402, 404, 415)
  @ApiOkResponse({ type: TableCreatedBody })
  async create(@Body() dto: CreateTableDto, @CurrentAccount() account: Account): Promise<TableCreatedBody> {
    return toTableCreatedBody(await this.uploads.create(account, toNewEmptyTable(dto)));
  }

  @Post(['table/:namespace/:table/insert', 'uploads/:namespace/:table/insert'])
  @ChangesTables(
    {
      operationId: 'insertRows',
      summary: 'Insert rows: all of them or, if one does not fit the columns, none',
      requestBody: INSERT_BODY,
    },
    402,
    404,
    415,
  )
  @UseInterceptors(UploadSlots)
  @ApiOkResponse({ type: RowsInsertedBody })
  async insert(
    @TableParam() name: TableName,
    @Query() dto: InsertInQueryDto,
    @UploadedData() request: UploadRequest,
    @CurrentAccount() account: Account,
  ): Promise<RowsInsertedBody> {
    return toRowsInsertedBody(await this.uploads.insert(account, name, toNewRows(dto, request)));
  }

  @Post(['table/:namespace/:table/clear', 'uploads/:namespace/:table/clear'])
  @ChangesTables({ operationId: 'clearTable', summary: 'Delete all rows of a table; its columns stay' }, 404)
  @ApiOkResponse({ type: TableMessageBody })
  async clear(@TableParam() name: TableName, @CurrentAccount() account: Account): Promise<TableMessageBody> {
    return toTableMessageBody(await this.uploads.clear(account, name), 'cleared');
  }

  @Delete(['table/:namespace/:table', 'uploads/:namespace/:table'])
  @RequireScope({ scope: 'admin', action: 'delete tables' })
  @ApiOperation({ operationId: 'deleteTable', summary: 'Delete a table' })
  @ApiOkResponse({ type: TableMessageBody })
  @ApiErrors(400, 403, 404, 409)
  async delete(@TableParam() name: TableName, @CurrentAccount() account: Account): Promise<TableMessageBody> {
    return toTableMessageBody(await this.tables.delete(account, name), 'deleted');
  }

  @Get(['tables', 'uploads'])
  @ApiOperation({
    operationId: 'listTables',
    summary: "List the account's own tables, and with `scope` the public ones of others, by full name",
  })
  @ApiOkResponse({ type: TableListBody })
  @ApiErrors(400)
  async list(@Query() dto: ListTablesDto, @CurrentAccount() account: Account): Promise<TableListBody> {
    return toTableListBody(await this.tables.list(account, ListTablesDto.pageOf(dto), toFilter(dto)));
  }
}
