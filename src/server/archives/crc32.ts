/** The polynomial of CRC-32 (ISO 3309), reflected. Bit 31 is the coefficient of x to the power of 0. */
const POLYNOMIAL = 0xedb88320

/** x^(2^index) modulo the polynomial. */
const POWERS = powers()

/** The CRC-32 of two concatenated texts, from the CRC-32 of each and the length of the second in bytes. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return (multiply(shiftBy(secondLength), first) ^ second) >>> 0
}

/** x^(8 * length): what that many zero bytes do to a CRC. */
function shiftBy(length: number): number {
  let product = 1 << 31
  // Bits are powers of two; a byte is 2^3 of them.
  for (let rest = length, k = 3; rest > 0; rest = Math.floor(rest / 2), k++) {
    if (rest % 2 === 1) product = multiply(POWERS[k % 32] ?? 0, product)
  }
  return product
}

/** Multiplies two polynomials modulo ours. */
function multiply(a: number, b: number): number {
  let product = 0
  let factor = b
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= factor
    factor = factor & 1 ? (factor >>> 1) ^ POLYNOMIAL : factor >>> 1
  }
  return product
}

function powers(): number[] {
  const all = [1 << 30]
  while (all.length < 32) all.push(multiply(all.at(-1) ?? 0, all.at(-1) ?? 0))
  return all
}
