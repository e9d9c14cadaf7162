package io.iocluster.lab.demo;

import java.util.BitSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Counts the answers to the calls of a demo and ignores duplicates. Confined to the thread that reads answers. */
final class DemoResults {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String PREFIX = "demo-";

    private final int requests;
    private final BitSet seen;
    private int answered;
    private int failed;

    DemoResults(int requests) {
        this.requests = requests;
        this.seen = new BitSet(requests);
    }

    /** Returns the envelope of one call, as JSON. */
    static byte[] envelope(int number, String url) {
        return JSON.writeValueAsBytes(
                JSON.createObjectNode().put("id", PREFIX + number).put("url", url));
    }

    void count(byte[] answer) {
        JsonNode json;
        try {
            json = JSON.readTree(answer);
        } catch (JacksonException unknown) {
            return;
        }
        int number = number(json.path("id").asString(""));
        if (number < 0 || seen.get(number)) {
            return;
        }
        seen.set(number);
        if (json.path("outcome").asString("").equals("answered")
                && json.path("status").asInt(0) == 200) {
            answered++;
        } else {
            failed++;
        }
    }

    private int number(String id) {
        try {
            int number = id.startsWith(PREFIX) ? Integer.parseInt(id.substring(PREFIX.length())) : -1;
            return number < requests ? number : -1;
        } catch (NumberFormatException unknown) {
            return -1;
        }
    }

    int answered() {
        return answered;
    }

    /** Returns the number of answers with an outcome other than {@code answered} or a status other than 200. */
    int failed() {
        return failed;
    }

    boolean isComplete() {
        return answered + failed == requests;
    }
}
