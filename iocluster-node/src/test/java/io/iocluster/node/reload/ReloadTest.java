package io.iocluster.node.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.Outcome;
import io.iocluster.node.ColdNode;
import io.iocluster.node.MemoryPipelines;
import io.iocluster.node.audit.AuditRecorder;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.runtime.Node;
import io.iocluster.testkit.memory.MemoryBroker;
import io.iocluster.testkit.target.TargetServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests a running node whose configuration file is edited, on an in-memory broker. */
class ReloadTest {

    private static final String LOOPBACK = "egress: {ports: [], allow-networks: [127.0.0.0/8]}";

    private final MemoryBroker broker = new MemoryBroker();
    private final TargetServer target = TargetServer.start();

    @TempDir
    Path folder;

    private Path file;
    private Node node;

    @BeforeEach
    void startNode() throws IOException {
        file = folder.resolve("node.yaml");
        Files.writeString(folder.resolve("token"), "old");
        write(LOOPBACK);
        var loader = new SettingsLoader<>(NodeSettings.class, ColdNode.ENVIRONMENT);
        node = Node.start(loader.load(file), MemoryPipelines.alone(broker));
        node.watchConfiguration(file, loader);
    }

    @AfterEach
    void closeNode() {
        node.close();
        target.close();
    }

    @Test
    void appliesANewEgressRule() throws IOException {
        assertThat(call("/ok").outcome()).isEqualTo(Outcome.ANSWERED);

        edit("egress: {ports: [1], allow-networks: [127.0.0.0/8]}");
        Answer refused = call("/ok");
        edit(LOOPBACK);

        assertThat(refused.error().code()).isEqualTo("port-not-allowed");
        assertThat(call("/ok").outcome()).isEqualTo(Outcome.ANSWERED);
    }

    @Test
    void sendsTheNewContentOfACredentialFile() throws IOException {
        edit(LOOPBACK
                + "\ncredentials: {a: {hosts: [127.0.0.1], schemes: [http], bearer: \"${file:token}\"}}"
                + "\ndestination-defaults: {credential: a}");
        assertThat(body(call("/echo"))).contains("Bearer old");

        long before = status().applied();
        Files.writeString(folder.resolve("token"), "new");
        await().until(() -> status().applied() > before);

        assertThat(body(call("/echo"))).contains("Bearer new");
        assertThat(node.effectiveConfig().toString()).doesNotContain("\"new\"");
    }

    @Test
    void appliesNewConnectionSettings() throws IOException {
        assertThat(call("/body?bytes=2000").truncated()).isFalse();

        edit(LOOPBACK + "\nhttp: {max-response-body: 1KiB}");

        assertThat(call("/body?bytes=2000").truncated()).isTrue();
    }

    @Test
    void appliesANewDestinationEntry() throws IOException {
        edit(LOOPBACK + "\ndestinations: [{match: 127.0.0.1, name: here, timeout: 1s, retry: {max-attempts: 1}}]");

        assertThat(call("/never").error().code()).isEqualTo("timeout");
        assertThat(node.destinations()).anyMatch(each -> each.name().equals("here"));
    }

    @Test
    void appliesANewLogLevel() throws IOException {
        boolean before = LoggerFactory.getLogger("test").isTraceEnabled();
        edit(LOOPBACK + "\nlogging: {level: trace}");
        boolean during = LoggerFactory.getLogger("test").isTraceEnabled();
        edit(LOOPBACK + "\nlogging: {level: warn}");

        assertThat(before).isFalse();
        assertThat(during).isTrue();
        assertThat(LoggerFactory.getLogger("test").isInfoEnabled()).isFalse();
    }

    @Test
    void theAuditLogHasTheValuesOfAnEditBeforeAndAfter() throws IOException {
        try (AuditRecorder audit = new AuditRecorder()) {
            edit(LOOPBACK + "\ncredentials: {a: {hosts: [h], bearer: s3cr3t}}\nhttp: {deadline: 40s}");
            // The line follows the status, because its values take longest.
            await().until(() -> !audit.lines().isEmpty());
            assertThat(audit.last())
                    .startsWith("Operator action action=configuration who=configuration from=" + file + " before={")
                    .contains("\"http.deadline\":\"30s\"", "\"http.deadline\":\"40s\"", "\"credentials.a\":null")
                    .endsWith("outcome=done")
                    .doesNotContain("s3cr3t");

            write("workers: {max-in-flight: 0}");
            await().until(() -> status().refused() == 1);
            assertThat(audit.last()).contains("outcome=refused reason=\"workers.max-in-flight must be from 1");
        }
    }

    private void edit(String yaml) throws IOException {
        long before = status().applied();
        write(yaml);
        await().until(() -> status().applied() > before);
    }

    /** Replaces the file atomically, so that each edit is one change even on a slow disk. */
    private void write(String yaml) throws IOException {
        Path next = folder.resolve("node.yaml.next");
        Files.writeString(next, "admin: {port: 0}\nconfig: {poll-interval: 50ms}\n" + yaml + "\n");
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private ConfigurationStatus status() {
        return node.configuration();
    }

    private Answer call(String path) {
        int before = broker.answers().size();
        broker.send("{\"url\":\"" + target.url(path) + "\"}");
        await().until(() -> broker.answers().size() > before);
        return new AnswerDecoder().decode(broker.answers().get(before).payload());
    }

    private static String body(Answer answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
