package io.iocluster.door.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.door.route.LineBuffer.LineTooLongException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineBufferTest {

    private final LineBuffer buffer = new LineBuffer(10);

    @Test
    void aLineMayArriveInParts() throws LineTooLongException {
        assertThat(add("ab")).isEmpty();
        assertThat(add("c\nd\ne")).containsExactly("abc", "d");
        assertThat(end()).containsExactly("e");
        assertThat(end()).isEmpty();
    }

    @Test
    void emptyLinesAreSkipped() throws LineTooLongException {
        assertThat(add("\n\r\n \t\na\n")).containsExactly("a");
    }

    @Test
    void aLineBeyondTheLimitIsRefused() throws LineTooLongException {
        assertThat(add("0123456789\n")).hasSize(1);
        add("012345");

        assertThatThrownBy(() -> add("67890")).isInstanceOf(LineTooLongException.class);
    }

    @Test
    void theLinesBeforeOneThatIsTooLongAreReturned() {
        List<byte[]> lines = new ArrayList<>();

        assertThatThrownBy(() -> buffer.add(bytes("ab\ncd\n01234567890"), lines))
                .isInstanceOf(LineTooLongException.class);

        assertThat(texts(lines)).containsExactly("ab", "cd");
    }

    private List<String> add(String text) throws LineTooLongException {
        List<byte[]> lines = new ArrayList<>();
        buffer.add(bytes(text), lines);
        return texts(lines);
    }

    private List<String> end() {
        List<byte[]> lines = new ArrayList<>();
        buffer.end(lines);
        return texts(lines);
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
