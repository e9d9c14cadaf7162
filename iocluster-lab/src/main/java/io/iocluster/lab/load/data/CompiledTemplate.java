package io.iocluster.lab.load.data;

import io.iocluster.lab.load.data.CompiledText.CallValue;
import io.iocluster.lab.load.experiment.Placeholders.Reference;
import io.iocluster.lab.load.experiment.RequestTemplate;
import io.iocluster.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A template whose texts are split at their placeholders. Immutable. */
final class CompiledTemplate {

    private final int index;
    private final RequestTemplate template;
    private final boolean[] usedFeeders;
    private final CompiledText url;
    private final CompiledText body;
    private final CompiledText key;
    private final CompiledText idempotencyKey;
    private final Map<String, CompiledText> headers = new LinkedHashMap<>();
    private final Map<String, CompiledText> messageHeaders = new LinkedHashMap<>();
    private final List<Header> constantHeaders;
    private final byte[] constantBody;

    /**
     * Compiles a template.
     *
     * @param usedFeeders {@code values} sets the entry of each feeder that it resolves
     */
    CompiledTemplate(
            int index, RequestTemplate template, Function<Reference, CallValue> values, boolean[] usedFeeders) {
        this.index = index;
        this.template = template;
        this.usedFeeders = usedFeeders;
        this.url = CompiledText.url(template.url(), values);
        this.body = CompiledText.body(template.body(), values);
        this.key = CompiledText.plain(template.key(), values);
        this.idempotencyKey = CompiledText.plain(template.idempotencyKey(), values);
        template.headers().forEach((name, value) -> headers.put(name, CompiledText.plain(value, values)));
        template.messageHeaders().forEach((name, value) -> messageHeaders.put(name, CompiledText.plain(value, values)));
        this.constantHeaders = headers.values().stream().allMatch(CompiledText::isConstant) ? headers(null) : null;
        this.constantBody = body.isConstant() ? bytes(body.render(null)) : null;
    }

    boolean uses(int feeder) {
        return usedFeeders[feeder];
    }

    CallSpec render(CurrentCall call) {
        return new CallSpec(
                index,
                template.method(),
                url.render(call),
                constantHeaders == null ? headers(call) : constantHeaders,
                body.isConstant() ? constantBody : bytes(body.render(call)),
                template.deadline(),
                template.timeout(),
                template.maxAttempts(),
                orNull(idempotencyKey.render(call)),
                orNull(template.auth()),
                orNull(key.render(call)),
                messageHeaders(call),
                template.success());
    }

    private List<Header> headers(CurrentCall call) {
        List<Header> rendered = new ArrayList<>(headers.size());
        headers.forEach((name, value) -> rendered.add(new Header(name, value.render(call))));
        return List.copyOf(rendered);
    }

    private Map<String, String> messageHeaders(CurrentCall call) {
        if (messageHeaders.isEmpty()) {
            return Map.of();
        }
        Map<String, String> rendered = new LinkedHashMap<>();
        messageHeaders.forEach((name, value) -> rendered.put(name, value.render(call)));
        return rendered;
    }

    private static byte[] bytes(String text) {
        return text.isEmpty() ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
