package io.iocluster.node.cli.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.transport.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** The destination of a dead letter is the one that a node would call. */
class SelectionTest {

    private static final String SETTINGS = """
            destinations:
              - match: [faß.de]
                name: partner
            """;

    @ParameterizedTest
    @CsvSource({
        "H.example, https://h.example/a, true",
        "h.example, https://H.EXAMPLE./a, true",
        "h.example, https://other.example/a, false",
        "βόλος.test, http://βόλος.test/, true",
        "xn--nxasmm1c.test, http://βόλος.test/, true",
        "βόλος.test, http://βόλοσ.test/, false",
        "partner, https://xn--fa-hia.de/, true",
        "partner, https://faß.de/, true",
        "partner, https://fass.de/, false",
        "[2001:db8::1], 'https://[2001:DB8:0::1]/', true",
        "h.example:443, https://h.example/a, true",
        "H.example:8443, https://h.example:8443/a, true",
        "h.example:80, https://h.example/a, false",
        "[2001:db8::1]:443, 'https://[2001:DB8:0::1]/', true",
        "h.example:443, https://h.example/{id}, false",
        "h.example, https://h.example/{id}, false",
        "h.example, h.example, false"
    })
    void selectsTheLettersOfADestination(String destination, String url, boolean selected) throws Exception {
        Selection selection = new Selection();
        new CommandLine(CommandSpec.create().addMixin("selection", CommandSpec.forAnnotatedObject(selection)))
                .parseArgs("--destination", destination);
        NodeSettings settings = SettingsLoading.node(SETTINGS);
        DeadLetter letter =
                new DeadLetter("1", Map.of(), ("{\"url\": \"" + url + "\"}").getBytes(StandardCharsets.UTF_8));

        assertThat(selection.matcher(settings).test(letter)).isEqualTo(selected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"broker-delivery-limit", "broker-expired", "broker-maxlen", "broker-rejected"})
    void selectsTheRequestsThatTheBrokerDeadLettered(String code) throws Exception {
        Selection selection = new Selection();
        new CommandLine(CommandSpec.create().addMixin("selection", CommandSpec.forAnnotatedObject(selection)))
                .parseArgs("--reason", code);
        DeadLetter letter = new DeadLetter("1", Map.of("iocluster-error-code", code), new byte[0]);

        assertThat(selection.matcher(SettingsLoading.node(SETTINGS)).test(letter))
                .isTrue();
    }

    @Test
    void refusesAnUnknownReason() {
        CommandLine command = new CommandLine(
                CommandSpec.create().addMixin("selection", CommandSpec.forAnnotatedObject(new Selection())));

        assertThatThrownBy(() -> command.parseArgs("--reason", "timeout,answer-to-large"))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("'answer-to-large' is not an error code; did you mean answer-too-large?");
    }
}
