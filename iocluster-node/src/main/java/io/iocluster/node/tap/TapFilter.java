package io.iocluster.node.tap;

import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.node.admin.AdminException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects calls. A call must match each part that is not empty. Immutable.
 *
 * @param destinations names; one that ends with {@code *} matches every name that begins with it
 * @param outcomes outcomes
 * @param codes error codes, statuses such as {@code 503}, and classes such as {@code 5xx}
 * @param ids ids of envelopes, like the destinations
 */
record TapFilter(List<String> destinations, Set<Outcome> outcomes, Set<String> codes, List<String> ids) {

    private static final Set<String> ERROR_CODES =
            Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName).collect(Collectors.toUnmodifiableSet());

    /** Reads the filter from lists that are separated by commas. */
    static TapFilter parse(String destinations, String outcomes, String codes, String ids) {
        Set<String> codeSet = new HashSet<>(split(codes));
        codeSet.forEach(TapFilter::checkCode);
        return new TapFilter(
                split(destinations),
                split(outcomes).stream().map(TapFilter::outcome).collect(Collectors.toUnmodifiableSet()),
                Set.copyOf(codeSet),
                split(ids));
    }

    private static List<String> split(String list) {
        return Stream.of(list.split(",", -1))
                .filter(each -> !each.isBlank())
                .map(String::strip)
                .toList();
    }

    private static Outcome outcome(String name) {
        return Arrays.stream(Outcome.values())
                .filter(each -> each.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AdminException(
                        400,
                        "outcome must be one of "
                                + Arrays.stream(Outcome.values())
                                        .map(Outcome::wireName)
                                        .collect(Collectors.joining(", "))
                                + ": " + name));
    }

    private static void checkCode(String code) {
        if (!ERROR_CODES.contains(code) && !code.matches("[1-5](\\d\\d|xx)")) {
            throw new AdminException(400, "code must be a status, a class such as 5xx, or an error code: " + code);
        }
    }

    /** @param destination null if the call was rejected before its URL was understood */
    boolean matches(String destination, Answer answer) {
        return (outcomes.isEmpty() || outcomes.contains(answer.outcome()))
                && (codes.isEmpty() || matchesCode(answer))
                && matches(destinations, destination)
                && matches(ids, answer.id());
    }

    private boolean matchesCode(Answer answer) {
        return answer.error() == null
                ? codes.contains(Integer.toString(answer.status())) || codes.contains(answer.status() / 100 + "xx")
                : codes.contains(answer.error().code());
    }

    private static boolean matches(List<String> patterns, String text) {
        return patterns.isEmpty() || (text != null && patterns.stream().anyMatch(pattern -> matches(pattern, text)));
    }

    private static boolean matches(String pattern, String text) {
        return pattern.endsWith("*")
                ? text.startsWith(pattern.substring(0, pattern.length() - 1))
                : text.equals(pattern);
    }
}
