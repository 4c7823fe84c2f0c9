import { describe, expect, it } from '@jest/globals';
import { findNearTables } from './near-tables.js';
import type { TableName } from './table.js';

const toTable = (text: string): TableName => {
  const [namespace = '', name = ''] = text.split('.');
  return { namespace, name };
};
const VISIBLE = ['demo.airports', 'demo.flights', 'ada.flights', 'ada.flight_log', 'ada.sizes', 'order.items'].map(
  toTable,
);

describe('findNearTables', () => {
  it.each([
    ['fligths', ['flights', 'demo.flights']],
    ['flight', ['flights', 'demo.flights']],
    ['airports', ['demo.airports']],
    ['AIRPORT', ['demo.airports']],
    ['dem.airports', ['demo.airports']],
    ['demo.airprots', ['demo.airports']],
    ['demo.sizes', ['ada.sizes']],
    ['order.item', ['"order".items']],
    ['nothing_like_it', []],
    ['s', []],
    ['flights', ['demo.flights']],
  ])('finds for %s: %j', async (text, names) => {
    const written = text.includes('.') ? toTable(text) : { name: text };
    expect(await findNearTables(written, VISIBLE, 'ada')).toEqual(names);
  });

  it('finds no more than three', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({ namespace: 'ada', name: `table_${index}` }));
    expect(await findNearTables({ name: 'table_' }, many, 'ada')).toEqual(['table_0', 'table_1', 'table_2']);
  });
});
