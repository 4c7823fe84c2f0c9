import 'reflect-metadata';
import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { RequestPipe } from '../../http/request.pipe.js';
import { AlterQueryDto, CreateQueryDto, toNewQuery, toQueryChanges } from './save-query.dto.js';

/** What a controller gets for a JSON body. */
async function read<T>(metatype: new () => T, body: object): Promise<T> {
  return (await new RequestPipe().transform(
    Object.assign(Readable.from([Buffer.from(JSON.stringify(body))]), { headers: {} }),
    {
      type: 'body',
      metatype,
    },
  )) as T;
}

const MINIMAL = { name: 'orders', query_sql: 'SELECT 1' };
const create = async (body: object) => toNewQuery(await read(CreateQueryDto, body));
const alter = async (body: object) => toQueryChanges(await read(AlterQueryDto, body));

describe('CreateQueryDto', () => {
  it('needs a name and a text only', async () => {
    expect(await create(MINIMAL)).toEqual({
      name: 'orders',
      sql: 'SELECT 1',
      description: '',
      tags: [],
      parameters: [],
      isPrivate: false,
    });
  });

  it('takes declared parameters, the way that clients spell them', async () => {
    const parameters = [
      { key: 'n', type: 'number', value: 5 },
      { key: 'since', type: 'date', value: '2026-03-01' },
      { key: 'colour', type: 'enum', value: 'red', enumOptions: ['red', 'blue'], description: 'Of the thing' },
      { key: 'plain' },
    ];
    expect((await create({ ...MINIMAL, parameters })).parameters).toEqual([
      { key: 'n', type: 'number', defaultValue: '5', enumOptions: [] },
      { key: 'since', type: 'datetime', defaultValue: '2026-03-01', enumOptions: [] },
      { key: 'colour', type: 'enum', defaultValue: 'red', enumOptions: ['red', 'blue'], description: 'Of the thing' },
      { key: 'plain', type: 'text', enumOptions: [] },
    ]);
  });

  it('takes parameters as an object of name to default', async () => {
    expect((await create({ ...MINIMAL, query_parameters: { n: 5, who: 'ada' } })).parameters).toEqual([
      { key: 'n', type: 'number', defaultValue: '5', enumOptions: [] },
      { key: 'who', type: 'text', defaultValue: 'ada', enumOptions: [] },
    ]);
    expect((await create({ ...MINIMAL, query_parameters: [] })).parameters).toEqual([]);
  });

  it.each<[object, string]>([
    [{ query_sql: 'SELECT 1' }, 'name: must be text'],
    [{ name: '', query_sql: 'SELECT 1' }, 'name: must not be empty'],
    [{ name: 'orders' }, 'query_sql: must be text'],
    [{ ...MINIMAL, is_private: 'yes' }, 'is_private: must be true or false'],
    [{ ...MINIMAL, query_sql: '' }, 'query_sql: must not be empty'],
    [{ ...MINIMAL, query_sql: 'x'.repeat(100_001) }, 'query_sql: must be at most 100000 bytes of UTF-8 long'],
    [{ ...MINIMAL, tags: 'sales' }, 'tags: must be a list'],
    [{ ...MINIMAL, name: 'a\ud800' }, 'name: must not hold half of a surrogate pair'],
    [{ ...MINIMAL, description: '\udc00a' }, 'description: must not hold half of a surrogate pair'],
    [{ ...MINIMAL, tags: ['a', '\ud83d'] }, 'tags: must not hold half of a surrogate pair'],
    [{ ...MINIMAL, query_sql: "SELECT '\ud83d'" }, 'query_sql: must not hold half of a surrogate pair'],
    [{ ...MINIMAL, tags: [1] }, 'tags: must hold only text'],
    [
      { ...MINIMAL, parameters: [{ key: 'n', type: 'blob' }] },
      'parameters.0.type: must be one of text, number, datetime, enum, date',
    ],
    [{ ...MINIMAL, parameters: [{ type: 'text' }] }, 'parameters.0.key: must be text'],
    [{ ...MINIMAL, query_parameters: ['n'] }, 'query_parameters: must be an object'],
    [
      { ...MINIMAL, query_parameters: { n: {} } },
      'parameter n: the default must be text or a number, not an object or a list',
    ],
  ])('refuses %j', async (body, message) => {
    await expect(create(body)).rejects.toThrow(message);
  });
});

describe('AlterQueryDto', () => {
  it('leaves an absent field, and one that is null, as it is', async () => {
    expect(await alter({})).toEqual({});
    expect(await alter({ name: null, tags: null, parameters: null })).toEqual({});
  });

  it('empties what is given as an empty list', async () => {
    expect(await alter({ tags: [], parameters: [] })).toEqual({ tags: [], parameters: [] });
    expect(await alter({ query_parameters: [] })).toEqual({ parameters: [] });
  });

  it('takes every field', async () => {
    const body = { name: 'n', query_sql: 's', description: 'd', tags: ['t'], is_private: true, is_archived: false };
    expect(await alter(body)).toEqual({
      name: 'n',
      sql: 's',
      description: 'd',
      tags: ['t'],
      isPrivate: true,
      isArchived: false,
    });
  });

  it('refuses an empty name', async () => {
    await expect(alter({ name: '' })).rejects.toThrow('name: must not be empty');
  });
});
