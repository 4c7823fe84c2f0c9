const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i;

/**
 * A text that is the same for all notations of a decimal number: its digits without zeros at
 * either end, and the power of ten of the last one. What is no number stays as it is.
 *
 * @example toNumberKey('2.0') // '2e0', as for '2', '+2' and '0.2e1'
 */
export function toNumberKey(text: string): string {
  const trimmed = text.trim();
  const [, sign, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(trimmed) ?? [];
  if (whole + fraction === '') return text;
  const significant = (whole + fraction).replace(/^0+/, '');
  const digits = significant.replace(/0+$/, '');
  if (digits === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(significant.length - digits.length);
  return `${sign === '-' ? '-' : ''}${digits}e${power}`;
}
