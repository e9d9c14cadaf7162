package io.iocluster.node.cli.top;

import io.iocluster.node.cli.terminal.Terminal;
import java.io.PrintStream;
import java.util.List;

/** Draws lines on the alternate screen of a terminal, which keeps what the user had before. Confined to one thread. */
final class TopScreen implements AutoCloseable {

    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final PrintStream out;
    private boolean left;

    TopScreen(Terminal terminal) {
        this.out = terminal.out();
        out.print(ENTER);
    }

    /** Draws as many lines as fit, and the footer on the last row. */
    void draw(List<String> lines, String footer, int rows, int columns) {
        StringBuilder screen = new StringBuilder(HOME);
        lines.stream()
                .limit(Math.max(0, rows - 1))
                // First, because clearing after a full line would clear its last character.
                .forEach(line ->
                        screen.append(CLEAR_LINE).append(cut(line, columns)).append("\r\n"));
        screen.append(CLEAR_BELOW).append(cut(footer, columns));
        out.print(screen);
        out.flush();
    }

    private static String cut(String line, int columns) {
        return line.length() <= columns ? line : line.substring(0, columns);
    }

    @Override
    public synchronized void close() {
        if (!left) {
            left = true;
            out.print(LEAVE);
            out.flush();
        }
    }
}
