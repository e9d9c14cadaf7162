package io.iocluster.pipeline.publish;

import io.iocluster.message.Answer;
import io.iocluster.message.EncodedSize;
import io.iocluster.transport.PublishResult.TooLarge;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Truncates the bodies of an answer that is too large for its topic or queue. The results of several calls get max-min fair shares
 * of the free bytes: a short body stays complete, and the long ones are cut to the same size. Stateless.
 */
final class BodyTruncation {

    private static final byte[] NO_BODY = {};
    /** If half of the bodies is smaller, they are removed instead, because further attempts with smaller bodies would save little. */
    private static final int MIN_HALF = 1_024;

    private BodyTruncation() {}

    /**
     * Returns the answer with truncated bodies. If the limit is unknown, or the answer should fit it already, halves the bodies.
     *
     * @param encodedBytes the size of the answer that was too large
     * @return null if the answer has no body that can be truncated
     */
    static Answer truncate(Answer answer, int encodedBytes, long maxPayload) {
        List<Answer> parts = answer.results().isEmpty() ? List.of(answer) : answer.results();
        long bodies = parts.stream()
                .mapToLong(each -> EncodedSize.ofBody(each.body()))
                .sum();
        if (bodies == 0) {
            return null;
        }
        boolean isLimitKnown = maxPayload != TooLarge.UNKNOWN_LIMIT && maxPayload < encodedBytes;
        long free = isLimitKnown ? maxPayload - EncodedSize.upperBound(withoutBodies(answer)) : half(bodies);
        return withBodies(answer, shares(parts, Math.max(0, free)));
    }

    private static long half(long bodies) {
        return bodies / 2 < MIN_HALF ? 0 : bodies / 2;
    }

    private static Answer withoutBodies(Answer answer) {
        return answer.results().isEmpty()
                ? answer.withTruncatedBody(NO_BODY)
                : answer.withResults(answer.results().stream()
                        .map(each -> each.withTruncatedBody(NO_BODY))
                        .toList());
    }

    /** Divides the free bytes, from the shortest body to the longest one. Longer bodies get what a shorter one does not need. */
    private static List<Answer> shares(List<Answer> parts, long free) {
        List<Answer> shorter = new ArrayList<>(parts);
        List<Integer> byLength = IntStream.range(0, parts.size())
                .boxed()
                .sorted(Comparator.comparingInt(each -> parts.get(each).body().length))
                .toList();
        long left = free;
        for (int i = 0; i < byLength.size(); i++) {
            int index = byLength.get(i);
            byte[] start = EncodedSize.truncateBody(parts.get(index).body(), left / (byLength.size() - i));
            shorter.set(index, parts.get(index).withTruncatedBody(start));
            left -= EncodedSize.ofBody(start);
        }
        return shorter;
    }

    private static Answer withBodies(Answer answer, List<Answer> parts) {
        return answer.results().isEmpty() ? parts.get(0) : answer.withResults(parts);
    }
}
