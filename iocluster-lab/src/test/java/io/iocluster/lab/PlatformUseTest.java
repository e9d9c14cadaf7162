package io.iocluster.lab;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import io.iocluster.thread.Platform;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Only the platform reads a clock, starts a thread, sets a timer or draws a random number
 * (docs/adr/0003-one-owner-for-each-state.md). Covers the modules that a node or a door consists of.
 */
class PlatformUseTest {

    private static final Set<String> MODULES = Set.of("api", "client", "core", "kafka", "rabbit", "door", "node");

    private static final String CONSTRUCTOR = "<init>";

    /** The methods that only a platform may call: a pattern of their names for each class. */
    private static final Map<String, Pattern> FORBIDDEN = Map.ofEntries(
            entry("java.lang.System", Pattern.compile("nanoTime|currentTimeMillis")),
            entry("java.lang.Math", Pattern.compile("random")),
            entry("java.lang.Thread", Pattern.compile("<init>|sleep")),
            entry("java.time.Instant", Pattern.compile("now")),
            entry("java.time.Clock", Pattern.compile("system.*|tick.*")),
            entry("java.time.InstantSource", Pattern.compile("system")),
            entry("java.time.LocalDate", Pattern.compile("now")),
            entry("java.time.LocalDateTime", Pattern.compile("now")),
            entry("java.time.OffsetDateTime", Pattern.compile("now")),
            entry("java.time.ZonedDateTime", Pattern.compile("now")),
            entry("java.util.Random", Pattern.compile(CONSTRUCTOR)),
            entry("java.util.SplittableRandom", Pattern.compile(CONSTRUCTOR)),
            entry("java.util.Timer", Pattern.compile(CONSTRUCTOR)),
            entry("java.util.UUID", Pattern.compile("randomUUID")),
            entry(
                    "java.util.concurrent.CompletableFuture",
                    Pattern.compile("delayedExecutor|orTimeout|completeOnTimeout")),
            entry("java.util.concurrent.Executors", Pattern.compile("new.*")),
            entry("java.util.concurrent.ForkJoinPool", Pattern.compile("<init>|commonPool")),
            entry("java.util.concurrent.ScheduledThreadPoolExecutor", Pattern.compile(CONSTRUCTOR)),
            entry("java.util.concurrent.ThreadLocalRandom", Pattern.compile("current")),
            entry("java.util.concurrent.ThreadPoolExecutor", Pattern.compile(CONSTRUCTOR)),
            entry("java.util.concurrent.TimeUnit", Pattern.compile("sleep|timedWait|timedJoin")),
            entry("java.util.concurrent.locks.LockSupport", Pattern.compile("park.*")),
            entry("io.iocluster.thread.DaemonThreadFactory", Pattern.compile(".*")));

    /** The classes that may call these methods, each with the reason. */
    private static final Map<String, String> EXEMPT = Map.ofEntries(
            entry("io.iocluster.thread.SystemPlatform", "is the platform of the operating system"),
            entry("io.iocluster.thread.SystemLoopThread", "is a part of the system's platform"),
            entry("io.iocluster.thread.GuardedScheduler", "is a part of the system's platform"),
            entry("io.iocluster.thread.DaemonThreadFactory", "is a part of the system's platform"),
            entry("io.iocluster.thread.ReadTimeout", "limits the JDK's HTTP client, which no simulation uses"),
            entry("io.iocluster.node.cli.DoorCommand", "the JVM takes a shutdown hook as a thread"),
            entry("io.iocluster.node.cli.RunCommand", "the JVM takes a shutdown hook as a thread"),
            entry("io.iocluster.node.cli.tap.TapCommand", "the JVM takes a shutdown hook as a thread"),
            entry("io.iocluster.node.cli.top.TopCommand", "the JVM takes a shutdown hook as a thread"),
            entry("io.iocluster.node.Main", "measures the start of the process"),
            entry("io.iocluster.rabbit.connection.Connector", "names the threads of RabbitMQ's client"));

    /** The classes that may call {@code Platform.system()}: those that pass it on, and those that exist once in a process. */
    private static final Map<String, String> ROOTS = Map.ofEntries(
            entry("io.iocluster.client.EnvelopeClient", "programs create it"),
            entry("io.iocluster.client.ConnectedClient", "programs create it"),
            entry("io.iocluster.kafka.config.KafkaConnections", "the client's transport creates them for programs"),
            entry("io.iocluster.node.Main", "starts a command"),
            entry("io.iocluster.node.config.IdentitySettings", "names a process once, before there is a node"),
            entry("io.iocluster.node.door.DoorProcess", "creates a door"),
            entry("io.iocluster.node.logging.NodeLogging", "configures the log of the process"),
            entry("io.iocluster.node.runtime.Node", "creates a node"),
            entry("io.iocluster.rabbit.client.RabbitClientTransport", "programs create it"));

    private static final String COMMANDS = "io.iocluster.node.cli.";

    @Test
    void onlyThePlatformReadsClocksStartsThreadsSetsTimersAndDrawsRandomNumbers() {
        assertThat(usersOf(PlatformUseTest::isForbidden)).isEqualTo(new TreeSet<>(EXEMPT.keySet()));
    }

    @Test
    void onlyRootsTakeThePlatformOfTheSystem() {
        Set<String> users = usersOf(access -> access.getTargetOwner().isEquivalentTo(Platform.class)
                && access.getTarget().getName().equals("system"));
        users.removeIf(each -> each.startsWith(COMMANDS));

        assertThat(users).isEqualTo(new TreeSet<>(ROOTS.keySet()));
    }

    private static boolean isForbidden(JavaAccess<?> access) {
        Pattern names = FORBIDDEN.get(access.getTargetOwner().getName());
        return names != null && names.matcher(access.getTarget().getName()).matches();
    }

    /** Returns the names of the classes that contain such an access. */
    private static Set<String> usersOf(Predicate<JavaAccess<?>> access) {
        Set<String> users = new TreeSet<>();
        for (JavaClass each : ProjectClasses.ALL) {
            String name = each.getName().replaceAll("\\$.*", "");
            if (MODULES.stream().anyMatch(module -> ProjectClasses.isIn(module, each))
                    && each.getAccessesFromSelf().stream().anyMatch(access)) {
                users.add(name);
            }
        }
        return users;
    }
}
