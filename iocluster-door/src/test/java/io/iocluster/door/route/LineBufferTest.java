package io.iocluster.door.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.door.route.LineBuffer.LineTooLongException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineBufferTest {

    private final LineBuffer buffer = new LineBuffer(10);

    @Test
    void aLineMayArriveInParts() throws LineTooLongException {
        assertThat(texts(buffer.add(bytes("ab")))).isEmpty();
        assertThat(texts(buffer.add(bytes("c\nd\ne")))).containsExactly("abc", "d");
        assertThat(texts(buffer.end())).containsExactly("e");
        assertThat(texts(buffer.end())).isEmpty();
    }

    @Test
    void emptyLinesAreSkipped() throws LineTooLongException {
        assertThat(texts(buffer.add(bytes("\n\r\n \t\na\n")))).containsExactly("a");
    }

    @Test
    void aLineBeyondTheLimitIsRefused() throws LineTooLongException {
        assertThat(texts(buffer.add(bytes("0123456789\n")))).hasSize(1);
        buffer.add(bytes("012345"));

        assertThatThrownBy(() -> buffer.add(bytes("67890"))).isInstanceOf(LineTooLongException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> texts(List<byte[]> lines) {
        return lines.stream()
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .toList();
    }
}
