package io.iocluster.node.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationReferenceTest {

    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/configuration.md");

    @Test
    void thePageMatchesTheRecords() throws IOException {
        String page = ConfigurationReference.page(NodeSettings.class);
        if (Boolean.getBoolean("update-docs")) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page);
        }

        assertThat(PAGE).hasContent(page);
    }

    @Test
    void showsInheritedKeysAndTheirOrigin() {
        assertThat(ConfigurationReference.page(SampleSettings.InheritingSection.class))
                .contains("| `most` | integer | as `inner.most` |")
                .contains("## entries", "| `entries[].name` | text | `unnamed` |")
                .contains("An entry also has every key of `inner`: `least`, `most`, `password`.")
                .doesNotContain("entries[].least");
    }

    @Test
    void showsTheKeysOfNamedEntries() {
        assertThat(ConfigurationReference.page(SampleSettings.NamedSection.class))
                .contains("## named", "| `named.NAME.least` | integer | `1` |");
    }

    @Test
    void showsWhichKeysARunningNodeApplies() {
        assertThat(ConfigurationReference.page(NodeSettings.class))
                .containsPattern("## Top level\n\nChanges: `restart`\\.\n\n")
                .containsPattern("## workers\n\n.+\nChanges: `live`\\.\n\n")
                .containsPattern("\\| `workers.max-in-flight` \\| integer \\| `300` \\| (?!.*Change: ).+ \\|\n")
                .containsPattern("\\| `http.dns.servers` \\| list of text \\| `\\[]` \\| (?!.*Change: ).+ \\|\n")
                .containsPattern("## admin\n\n.+\nChanges: `restart`\\.\n\n")
                .containsPattern("\\| `admin.port` \\| (?!.*Change: ).+ \\|\n")
                .containsPattern("\\| `admin.actions.duration` \\| .+ Change: `live`\\. \\|\n")
                .containsPattern(
                        "\\| `logging.format` \\| `text`, `json` \\| `text` \\| .+ Change: `restart`\\. \\|\n");
    }

    @Test
    void namesThePeerWhereverASectionIsUsed() {
        assertThat(ConfigurationReference.page(NodeSettings.class))
                .contains("certificate authorities that the node trusts for the target.")
                .contains("certificate authorities that the node trusts for Consul's agent.")
                .doesNotContain("{peer}", "trusts for .");
    }

    @Test
    void namesEveryType() {
        assertThat(ConfigurationReference.page(SampleSettings.class))
                .contains("| `count` | integer | `5` |")
                .contains("| `delay` | duration | `3s` |")
                .contains("| `word` | `none`, `by-key` | `by-key` |")
                .contains("| `servers` | list of URI | `[amqp://h]` |")
                .contains("| `names` | list of text | `[a, b]` |")
                .contains("| `properties` | map of text | empty |")
                .contains("| `inner.password` | text | `\"\"` | Hidden. Secret. |");
    }
}
