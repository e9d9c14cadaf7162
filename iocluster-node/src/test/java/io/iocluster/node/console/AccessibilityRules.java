package io.iocluster.node.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The rules of axe-core, the accessibility checker. Stateless. */
public final class AccessibilityRules {

    private static final String SCRIPT = script();

    /** A line for each violated rule: its id, what it demands, and the elements that break it. */
    private static final String VIOLATIONS = """
            const result = await axe.run(document, {resultTypes: ['violations']});
            done(result.violations.map(rule => `${rule.id}: ${rule.help}: ` + rule.nodes.map(node => node.target.join(' ')).join(', ')));
            """;

    private AccessibilityRules() {}

    /** Returns a line for each rule that the open page violates. */
    public static List<?> violations(Browser browser) {
        browser.run(SCRIPT);
        Object found = browser.runLater(VIOLATIONS);
        assertThat(found).isInstanceOf(List.class);
        return (List<?>) found;
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(AccessibilityRules.class.getResourceAsStream("/axe.min.js"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
