package io.iocluster.lab.load.command;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.node.cli.terminal.PrintableText;
import io.iocluster.settings.SecretNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Shows a call as it would be sent. Hides the values of headers whose name says that they are secret. */
final class RequestLines {

    private static final int MAX_LINES = 30;
    private static final int MAX_LENGTH = 1_000;
    private static final String HIDDEN = "***";
    private static final Set<String> SECRET_HEADERS = Set.of("authorization", "proxy-authorization", "cookie");

    private RequestLines() {}

    /** Returns the request line, the headers and the body, and then what belongs to the message. */
    static List<String> of(CallSpec call) {
        List<String> lines = new ArrayList<>();
        lines.add(call.method() + " " + call.url());
        call.headers().forEach(header -> lines.add(header(header.name(), header.value())));
        if (call.body() != null) {
            List<String> body =
                    new String(call.body(), StandardCharsets.UTF_8).lines().toList();
            body.stream().limit(MAX_LINES).forEach(lines::add);
            if (body.size() > MAX_LINES) {
                lines.add("… " + (body.size() - MAX_LINES) + " more lines");
            }
        }
        if (call.key() != null) {
            lines.add("key of the message: " + call.key());
        }
        if (call.idempotencyKey() != null) {
            lines.add("idempotency key: " + call.idempotencyKey());
        }
        if (call.auth() != null) {
            lines.add("credential: " + call.auth());
        }
        call.messageHeaders().forEach((name, value) -> lines.add("header of the message: " + header(name, value)));
        return lines.stream()
                .map(line -> PrintableText.escape(line, MAX_LENGTH))
                .toList();
    }

    private static String header(String name, String value) {
        boolean secret = SECRET_HEADERS.contains(name.toLowerCase(Locale.ROOT)) || SecretNames.isSecret(name);
        return name + ": " + (secret ? HIDDEN : value);
    }
}
