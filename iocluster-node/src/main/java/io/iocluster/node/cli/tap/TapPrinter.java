package io.iocluster.node.cli.tap;

import io.iocluster.node.cli.admin.JsonText;
import io.iocluster.node.cli.tap.NodeTap.TapLine;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.node.cli.terminal.Terminal;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Prints tapped calls as they arrive, and at the end how many there were. Thread-safe, because a signal may end the command. */
final class TapPrinter {

    private static final String[] TITLES = {"TIME", "NODE", "DESTINATION", "RESULT", "TRIES", "TOTAL", "CALL", "ID"};
    private static final int[] WIDTHS = {12, 21, 24, 20, 5, 6, 48, 0};

    /** A node sends at most 500 characters; another server may send anything. */
    private static final int MAX_CELL_CHARS = 1_000;

    private final Terminal terminal;
    private final boolean json;
    private final Map<String, JsonNode> counts = new TreeMap<>();
    private long shown;
    private long dropped;
    private boolean closed;

    TapPrinter(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.json = json;
        if (!json) {
            print((Object[]) TITLES);
        }
    }

    /** Prints a line of a node. */
    synchronized void print(TapLine line) {
        if (closed) {
            return;
        }
        if (line.json().has("counts")) {
            counts.put(line.node(), line.json().path("counts"));
            reportDropped();
        } else if (json) {
            shown++;
            terminal.out().println(JsonText.line(line.json().put("admin", line.node())));
            terminal.out().flush();
        } else {
            shown++;
            JsonNode call = line.json();
            print(
                    JsonText.text(call, "at").replaceFirst("^.*T(.{12}).*$", "$1"),
                    line.node(),
                    JsonText.text(call, "destination"),
                    call.path("code").isNull() ? JsonText.number(call, "status") : JsonText.text(call, "code"),
                    JsonText.number(call, "attempts"),
                    JsonText.millis(call.path("timing"), "totalMs"),
                    call.path("url").isNull() ? "-" : JsonText.text(call, "method") + " " + JsonText.text(call, "url"),
                    JsonText.text(call, "id"));
        }
    }

    private void print(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String cell = PrintableText.escape(String.valueOf(cells[i]), MAX_CELL_CHARS);
            line.append(cell)
                    .append(" ".repeat(Math.max(0, WIDTHS[i] - cell.length())))
                    .append("  ");
        }
        terminal.out().println(line.toString().stripTrailing());
        terminal.out().flush();
    }

    /** Says at once that calls are missing because this command is too slow. */
    private void reportDropped() {
        long now = sum("dropped");
        if (now > dropped) {
            terminal.err().println("dropped " + (now - dropped) + " calls that were not read in time");
            dropped = now;
        }
    }

    private long sum(String field) {
        return counts.values().stream()
                .mapToLong(each -> each.path(field).asLong(0))
                .sum();
    }

    /** Returns the number of printed calls. */
    synchronized long shown() {
        return shown;
    }

    /** Prints the summary. Later calls do nothing. */
    synchronized void close() {
        if (!closed) {
            closed = true;
            terminal.err()
                    .println("shown " + shown + ", skipped " + sum("skipped") + " because of --rate, dropped "
                            + sum("dropped"));
        }
    }
}
