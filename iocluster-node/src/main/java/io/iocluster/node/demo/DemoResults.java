package io.iocluster.node.demo;

import java.util.BitSet;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Which calls have their answer, each counted once however often it came. Confined to the thread that reads answers. */
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

    /** The envelope of one call. */
    static byte[] envelope(int number, String url) {
        return JSON.writeValueAsBytes(
                JSON.createObjectNode().put("id", PREFIX + number).put("url", url));
    }

    void count(byte[] answer) {
        JsonNode json;
        try {
            json = JSON.readTree(answer);
        } catch (JacksonException foreign) {
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
        } catch (NumberFormatException foreign) {
            return -1;
        }
    }

    int answered() {
        return answered;
    }

    /** Answers that say that the call failed, or that it came back with another status than the target gives. */
    int failed() {
        return failed;
    }

    boolean isComplete() {
        return answered + failed == requests;
    }
}
