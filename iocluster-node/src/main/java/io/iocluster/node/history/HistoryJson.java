package io.iocluster.node.history;

import io.iocluster.node.history.SampleRing.Samples;
import java.time.Duration;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Writes the response of {@code /api/history}. */
public final class HistoryJson {

    /** Three decimals, which keep the response small. */
    private static final double PRECISION = 1_000;

    private static final Duration LATEST = Duration.ofSeconds(30);

    private HistoryJson() {}

    /**
     * Writes the samples column by column, because the names of the columns would otherwise be most of the response.
     *
     * @param sinceMillis only samples and events after this time, in milliseconds since the epoch
     */
    public static ObjectNode of(HistoryRecorder history, long sinceMillis) {
        return write(history, history.samples(), SampleColumn.values(), sinceMillis);
    }

    /** Writes the samples and events of the last 30 s. A client that has missed more reads the rest with {@code since}. */
    public static ObjectNode latest(HistoryRecorder history) {
        return of(history, history.now().minus(LATEST).toEpochMilli());
    }

    /** Writes the samples of one destination in the same way. A destination that is not recorded has none. */
    public static ObjectNode of(HistoryRecorder history, String destination, long sinceMillis) {
        ObjectNode json = write(history, history.samples(destination), DestinationColumn.values(), sinceMillis);
        return json.put("destination", destination);
    }

    private static ObjectNode write(HistoryRecorder history, Samples samples, NamedColumn[] columns, long sinceMillis) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        int first = samples.firstAfter(sinceMillis);
        json.put("now", history.now().toEpochMilli());
        json.put("intervalMillis", HistoryRecorder.INTERVAL.toMillis());
        ArrayNode times = json.putArray("times");
        for (int row = first; row < samples.size(); row++) {
            times.add(samples.epochMillis(row));
        }
        ObjectNode figures = json.putObject("figures");
        for (NamedColumn column : columns) {
            putColumn(figures.putArray(column.field()), samples, first, column.ordinal());
        }
        ArrayNode events = json.putArray("events");
        history.events().stream()
                .filter(each -> each.at().toEpochMilli() > sinceMillis)
                .forEach(each -> events.addObject()
                        .put("at", each.at().toEpochMilli())
                        .put("kind", each.kind().wireName())
                        .put("detail", each.detail()));
        return json;
    }

    private static void putColumn(ArrayNode json, Samples samples, int first, int column) {
        for (int row = first; row < samples.size(); row++) {
            float value = samples.value(row, column);
            if (Float.isNaN(value)) {
                json.addNull();
            } else {
                json.add(Math.round(value * PRECISION) / PRECISION);
            }
        }
    }
}
