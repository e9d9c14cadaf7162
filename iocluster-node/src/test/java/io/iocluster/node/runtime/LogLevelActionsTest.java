package io.iocluster.node.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.AdminFixture;
import io.iocluster.node.audit.AuditRecorder;
import io.iocluster.node.config.LoggingSettings;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.node.logging.LogLevels;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.thread.Platform;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Changes the levels of loggers of a real node over its admin API. */
class LogLevelActionsTest {

    private static final String NAME = "io.iocluster.example";
    private static final String NETTY = "io.netty";

    private final Logger logger = LoggerFactory.getLogger(NAME);
    private AdminFixture fixture;

    @BeforeEach
    void start() {
        NodeLogging.configure(new LoggingSettings(Level.WARN, Format.TEXT), null);
        fixture = new AdminFixture("admin: {port: 0}");
    }

    @AfterEach
    void close() {
        fixture.close();
        NodeLogging.configure(new LoggingSettings(Level.WARN, Format.TEXT), null);
    }

    @Test
    void aLevelEndsByItself() {
        JsonNode changed = change("{\"logger\": \"" + NAME + "\", \"level\": \"trace\", \"for\": \"1s\"}");

        assertThat(changed.get("level").asString()).isEqualTo("trace");
        assertThat(logger.isTraceEnabled()).isTrue();
        await().until(() -> !logger.isInfoEnabled());
        assertThat(levels()).isEmpty();
    }

    @Test
    void theStatusSaysUntilWhenALevelHolds() {
        change("{\"logger\": \"" + NAME + "\", \"level\": \"debug\", \"for\": \"10m\"}");

        assertThat(levels()).hasSize(1);
        assertThat(levels().at("/0/logger").asString()).isEqualTo(NAME);
        assertThat(levels().at("/0/level").asString()).isEqualTo("debug");
        assertThat(levels().at("/0/remainingMillis").asLong()).isBetween(540_000L, 600_000L);
    }

    @Test
    void defaultEndsALevelAtOnce() {
        change("{\"logger\": \"" + NAME + "\", \"level\": \"debug\"}");
        change("{\"logger\": \"" + NAME + "\", \"level\": \"trace\"}");
        change("{\"logger\": \"" + NAME + "\", \"level\": \"default\"}");

        assertThat(logger.isInfoEnabled()).isFalse();
        assertThat(levels()).isEmpty();
    }

    @Test
    void theRootLoggerSetsTheLevelOfLoggersWithoutTheirOwn() {
        change("{\"logger\": \"root\", \"level\": \"debug\"}");

        assertThat(logger.isDebugEnabled()).isTrue();
        assertThat(LoggerFactory.getLogger(NETTY).isInfoEnabled()).isFalse();
    }

    @Test
    void aReloadKeepsALevelAndTheNewConfigurationAppliesAfterIt() {
        try (LogLevels levels =
                new LogLevels(Platform.system(), Platform.system().newScheduler("test"))) {
            levels.set(NETTY, Level.TRACE, Duration.ofMinutes(1));

            levels.changeConfigured(() -> NodeLogging.setLevel(Level.ERROR));
            assertThat(LoggerFactory.getLogger(NETTY).isTraceEnabled()).isTrue();
            levels.reset(NETTY);

            assertThat(LoggerFactory.getLogger(NETTY).isWarnEnabled()).isFalse();
        }
    }

    @Test
    void aStoppedNodeLeavesNoLevelBehind() {
        LogLevels levels = new LogLevels(Platform.system(), Platform.system().newScheduler("test"));
        levels.set(NAME, Level.TRACE, Duration.ofMinutes(1));

        levels.close();

        assertThat(logger.isInfoEnabled()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"logger\": \"no.such\", \"level\": \"debug\"}|404|no logger is called no.such; name a package or class whose"
                        + " code has run, such as io.iocluster.destination, or root",
                "{\"logger\": \"io.iocluster.audit\", \"level\": \"error\"}|400|the level of the audit log cannot be changed",
                "{\"logger\": \"root\", \"level\": \"loud\"}|400|level must be one of error, warn, info, debug, trace,"
                        + " default: loud",
                "{\"logger\": \"root\"}|400|level is missing",
                "{\"logger\": \"root\", \"level\": \"debug\", \"for\": \"2d\"}|400|for must be from 1s to 1d"
                        + " (admin.actions.max-duration): 2d",
            })
    void refusesWhatIsNotPossible(String body, int status, String error) {
        HttpResponse<String> refused = post(body);

        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(AdminFixture.json(refused).get("error").asString()).isEqualTo(error);
    }

    @Test
    void theAuditLogStaysAtInfo() {
        change("{\"logger\": \"root\", \"level\": \"error\"}");
        change("{\"logger\": \"io.iocluster\", \"level\": \"error\"}");

        assertThat(LoggerFactory.getLogger("io.iocluster.audit").isInfoEnabled())
                .isTrue();
    }

    @Test
    void theAuditLogHasTheLevelBeforeAndAfter() {
        try (AuditRecorder audit = new AuditRecorder()) {
            change("{\"logger\": \"" + NAME + "\", \"level\": \"debug\", \"for\": \"5m\"}");

            assertThat(audit.last())
                    .startsWith(
                            "Operator action action=log-level who=anonymous from=127.0.0.1 before={\"logger\":\"" + NAME
                                    + "\",\"level\":\"warn\",\"until\":null} after={\"logger\":\"" + NAME
                                    + "\",\"level\":\"debug\",\"until\":\"2");
        }
    }

    private JsonNode change(String body) {
        HttpResponse<String> response = post(body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return AdminFixture.json(response);
    }

    private HttpResponse<String> post(String body) {
        return fixture.call("POST", "/api/log-levels", body, "Content-Type", "application/json");
    }

    private JsonNode levels() {
        return AdminFixture.json(fixture.get("/api/status")).get("logLevels");
    }
}
