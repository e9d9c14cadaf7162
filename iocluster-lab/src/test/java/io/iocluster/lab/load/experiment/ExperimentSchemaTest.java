package io.iocluster.lab.load.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.dialect.Dialects;
import io.iocluster.node.config.binding.SettingsSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class ExperimentSchemaTest {

    private static final Path FILE = Path.of(System.getProperty("basedir", "."))
            .resolve("../docs/schema/experiment.schema.json")
            .normalize();

    private static final String VALID = """
            name: test
            requests: [{name: r, url: "http://h/", success: [200, 3xx]}]
            phases: [{name: p, shape: ramp, from: 1/s, to: "${TO}", duration: 10s, measured: false}]
            expectations: [p99 < 1s]
            """;

    @Test
    void theSchemaIsThatOfTheRecords() throws IOException {
        String schema = SettingsSchema.of(
                Experiment.class, "urn:iocluster:schema:experiment", "Experiment of `iocluster load`");
        if (Boolean.getBoolean("update-docs")) {
            Files.writeString(FILE, schema);
        }

        assertThat(FILE).hasContent(schema);
    }

    @Test
    void theSchemaAcceptsAnExperimentAndRefusesMistakes() throws IOException {
        assertThat(problems(VALID)).isEmpty();
        assertThat(problems(VALID.replace("duration: 10s", "duration: 10"))).isNotEmpty();
        assertThat(problems(VALID.replace("shape: ramp", "shape: rampe"))).isNotEmpty();
        assertThat(problems(VALID.replace("measured:", "mesured:"))).isNotEmpty();
        assertThat(problems(VALID.replace("name: test", ""))).isNotEmpty();
    }

    private static List<String> problems(String yaml) throws IOException {
        Schema schema = SchemaRegistry.withDialect(Dialects.getDraft202012())
                .getSchema(new JsonMapper().readTree(Files.readString(FILE)));
        return schema.validate(new YAMLMapper().readTree(yaml)).stream()
                .map(Error::toString)
                .toList();
    }
}
