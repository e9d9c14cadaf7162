package io.iocluster.node.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the systemd unit of the node against its settings and the unit of the door. */
class NodeUnitTest {

    private static final Path DIST = Path.of(System.getProperty("basedir", ".")).resolve("../iocluster-dist/src/dist");

    @Test
    void theNodeDrainsWithinTheTimeout() throws IOException {
        NodeSettings settings = new SettingsLoader<>(NodeSettings.class, Map.of())
                .load(DIST.resolve("conf/node.yaml"))
                .settings();
        Duration stop = settings.shutdown()
                .drainTimeout()
                .plus(settings.tracing().flushTimeout())
                .plus(settings.metrics().otlp().timeout().multipliedBy(2))
                .plus(settings.config().consul().timeout().multipliedBy(2));

        assertThat(Duration.ofSeconds(Integer.parseInt(value(unit("node"), "TimeoutStopSec"))))
                .isGreaterThanOrEqualTo(stop);
    }

    @Test
    void theNodeHasTheRestrictionsOfTheDoor() throws IOException {
        assertThat(restrictions(unit("node"))).contains("NoNewPrivileges=yes").isEqualTo(restrictions(unit("door")));
    }

    @Test
    void theNodeWritesItsClassesIntoTheCacheOfSystemd() throws IOException {
        assertThat(value(unit("node"), "Environment"))
                .isEqualTo("XDG_CACHE_HOME=/var/cache/" + value(unit("node"), "CacheDirectory"));
    }

    private static List<String> restrictions(List<String> unit) {
        return unit.subList(unit.indexOf("NoNewPrivileges=yes"), unit.size());
    }

    private static String value(List<String> unit, String key) {
        return unit.stream()
                .filter(line -> line.startsWith(key + "="))
                .findFirst()
                .orElseThrow()
                .substring(key.length() + 1);
    }

    private static List<String> unit(String service) throws IOException {
        return Files.readAllLines(DIST.resolve("systemd/iocluster-" + service + ".service"));
    }
}
