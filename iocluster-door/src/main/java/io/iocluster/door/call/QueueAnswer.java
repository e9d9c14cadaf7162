package io.iocluster.door.call;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Converts an answer of the queue to one for the caller. Stateless. */
final class QueueAnswer {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private QueueAnswer() {}

    /**
     * Returns the answer on one line and with another id. Nodes write the id first, so their answers are not parsed.
     *
     * @param answer the encoded answer; not changed
     * @param queueId the id that the answer has
     * @param callerId the id that it gets
     * @throws RuntimeException if the answer is not a JSON object
     */
    static byte[] forCaller(byte[] answer, String queueId, String callerId) {
        byte[] start = start(queueId);
        if (answer.length < start.length || !Arrays.equals(answer, 0, start.length, start, 0, start.length)) {
            ObjectNode object = (ObjectNode) JSON.readTree(answer);
            return JSON.writeValueAsBytes(object.put("id", callerId));
        }
        byte[] newStart = start(callerId);
        byte[] converted = Arrays.copyOf(newStart, newStart.length + answer.length - start.length);
        System.arraycopy(answer, start.length, converted, newStart.length, answer.length - start.length);
        removeLineEnds(converted);
        return converted;
    }

    private static byte[] start(String id) {
        return ("{\"id\":" + JSON.writeValueAsString(id)).getBytes(StandardCharsets.UTF_8);
    }

    /** Replaces line ends by spaces. JSON has them only between its tokens. */
    private static void removeLineEnds(byte[] json) {
        for (int i = 0; i < json.length; i++) {
            if (json[i] == '\n' || json[i] == '\r') {
                json[i] = ' ';
            }
        }
    }
}
