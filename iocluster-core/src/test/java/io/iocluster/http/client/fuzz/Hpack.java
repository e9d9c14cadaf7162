package io.iocluster.http.client.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;

/**
 * The forms of HPACK (RFC 7541) that scripts use: literals without Huffman coding, the statuses of the static table, and the dynamic table.
 * Anything else is refused, so that the test need not trust this decoder.
 */
final class Hpack {

    static final int STATUS_INDEX = 8;
    static final int FIRST_DYNAMIC = 62;
    private static final List<String> STATUSES = List.of("200", "204", "206", "304", "400", "404", "500");
    private static final Map<Integer, String> NAMES =
            Map.of(STATUS_INDEX, ":status", 26, "content-encoding", 28, "content-length");
    private static final int MAX_TABLE_SIZE = 4_096;

    private final LinkedList<String[]> table = new LinkedList<>();
    private int tableSize;

    /** Appends a literal with a new name. */
    static void literal(ByteArrayOutputStream block, boolean indexed, String name, String value) {
        block.write(indexed ? 0x40 : 0);
        text(block, name);
        text(block, value);
    }

    static void text(ByteArrayOutputStream block, String value) {
        number(block, 0, 7, value.length());
        block.writeBytes(Bytes.of(value));
    }

    /** Appends a number whose first octet has {@code bits} bits for it (RFC 7541, section 5.1). */
    static void number(ByteArrayOutputStream block, int first, int bits, int value) {
        int max = (1 << bits) - 1;
        if (value < max) {
            block.write(first | value);
            return;
        }
        block.write(first | max);
        int rest = value - max;
        for (; rest >= 128; rest >>= 7) {
            block.write(rest & 0x7f | 0x80);
        }
        block.write(rest);
    }

    static int statusIndex(int status) {
        int index = STATUSES.indexOf("" + status);
        return index < 0 ? -1 : STATUS_INDEX + index;
    }

    /** Decodes a block. Returns null if it is not valid or has a form that scripts do not use. */
    List<String[]> decode(byte[] block) {
        try {
            return new Decoder(block).decode();
        } catch (IllegalArgumentException | IndexOutOfBoundsException refused) {
            return null;
        }
    }

    private final class Decoder {

        private final byte[] block;
        private int next;

        Decoder(byte[] block) {
            this.block = block;
        }

        List<String[]> decode() {
            List<String[]> fields = new LinkedList<>();
            while (next < block.length) {
                int first = block[next] & 0xff;
                if (first >= 0x80) {
                    fields.add(indexed(number(7)));
                } else if (first >= 0x40) {
                    String[] field = literal(number(6));
                    insert(field);
                    fields.add(field);
                } else if (first >= 0x20) {
                    // Evictions are not modelled, so a smaller table is refused.
                    require(number(5) == MAX_TABLE_SIZE && fields.isEmpty());
                } else {
                    fields.add(literal(number(4)));
                }
            }
            return fields;
        }

        private void insert(String[] field) {
            tableSize += 32 + field[0].length() + field[1].length();
            require(tableSize <= MAX_TABLE_SIZE);
            table.addFirst(field);
        }

        private String[] indexed(int index) {
            if (index >= FIRST_DYNAMIC) {
                return table.get(index - FIRST_DYNAMIC);
            }
            require(index >= STATUS_INDEX && index < STATUS_INDEX + STATUSES.size());
            return new String[] {":status", STATUSES.get(index - STATUS_INDEX)};
        }

        private String[] literal(int nameIndex) {
            String name = nameIndex == 0 ? text() : NAMES.get(nameIndex);
            require(name != null);
            return new String[] {name, text()};
        }

        private String text() {
            require(block[next] >= 0);
            int length = number(7);
            next += length;
            return new String(block, next - length, length, StandardCharsets.ISO_8859_1);
        }

        private int number(int bits) {
            int max = (1 << bits) - 1;
            int value = block[next++] & max;
            if (value < max) {
                return value;
            }
            for (int shift = 0; ; shift += 7) {
                require(shift <= 14);
                int octet = block[next++] & 0xff;
                value += (octet & 0x7f) << shift;
                if (octet < 128) {
                    return value;
                }
            }
        }

        private static void require(boolean allowed) {
            if (!allowed) {
                throw new IllegalArgumentException();
            }
        }
    }
}
