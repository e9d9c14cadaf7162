package io.iocluster.node.cli.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoading;
import io.iocluster.transport.deadletter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

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
        "h.example, https://h.example/{id}, false",
        "h.example, h.example, false"
    })
    void selectsTheLettersOfADestination(String destination, String url, boolean selected) throws Exception {
        Selection selection = new Selection();
        new CommandLine(CommandLine.Model.CommandSpec.create()
                        .addMixin("selection", CommandLine.Model.CommandSpec.forAnnotatedObject(selection)))
                .parseArgs("--destination", destination);
        NodeSettings settings = SettingsLoading.node(SETTINGS);
        DeadLetter letter =
                new DeadLetter("1", Map.of(), ("{\"url\": \"" + url + "\"}").getBytes(StandardCharsets.UTF_8));

        assertThat(selection.matcher(settings).test(letter)).isEqualTo(selected);
    }
}
