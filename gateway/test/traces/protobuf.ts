/** A field of a message of protobuf: its number, and its value, which may be bytes, a text or a message. */
type Field = { number: number; value: Buffer | bigint };

/** The fields of a message, in their order. Throws for what is none. */
export function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (size: number): Buffer => {
    if (at + size > message.length) throw new Error('The message ends within a field');
    at += size;
    return message.subarray(at - size, at);
  };
  while (at < message.length) {
    const tag = varint();
    const [number, type] = [Number(tag >> 3n), Number(tag & 7n)];
    if (type === 0) fields.push({ number, value: varint() });
    else if (type === 1) fields.push({ number, value: take(8) });
    else if (type === 2) fields.push({ number, value: take(Number(varint())) });
    else if (type === 5) fields.push({ number, value: take(4) });
    else throw new Error(`No field has the type ${type}`);
  }
  return fields;
}

/** The values of every field of this number that are bytes. */
export function bytesIn(message: Buffer, number: number): Buffer[] {
  return fieldsOf(message).flatMap((field) =>
    field.number === number && Buffer.isBuffer(field.value) ? [field.value] : [],
  );
}
