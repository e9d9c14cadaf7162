package io.iocluster.lab;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatcher;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that dependencies point inward, and that each library is used by one package only. */
class LayersTest {

    private static final String PREFIX = "io.iocluster.";

    @ParameterizedTest
    @ValueSource(strings = {"", "node.", "door.", "lab."})
    void packagesHaveNoCycles(String of) {
        slices().matching(PREFIX + of + "(**)").should().beFreeOfCycles().check(ProjectClasses.ALL);
    }

    /**
     * Each line has modules, classes of theirs, and what these may not use. A dot at the start stands for the package of the project,
     * {@code ~} for all other classes, and {@code only} for everything else.
     */
    @ParameterizedTest(name = "{1} of {0} may not use {2}")
    @CsvSource(delimiter = '|', maxCharsPerColumn = 1_000, textBlock = """
            api    | ..                              | only java.. tools.jackson.core.. org.slf4j.. io.iocluster..
            api    | .message..                      | .transport..
            client | ..                              | only java.. org.slf4j.. com.google.errorprone.annotations.. .client.. .message.. .settings.. .thread.. .transport..
            core   | ..                              | org.apache.kafka.. com.rabbitmq.. io.lettuce.. io.micrometer.. io.opentelemetry.. picocli.. org.yaml.. tools.jackson.dataformat.yaml..
            core   | ..                              | java.net.IDN
            core   | ~ .cache..                      | com.github.benmanes.caffeine..
            core   | ~ .cache.shared.. .destination.limit.. | io.github.resilience4j..
            core   | ~ .credential.signature..       | software.amazon..
            core   | ~ .destination.limit..          | com.netflix.concurrency..
            core   | ~ .egress..                     | com.ibm.icu..
            core   | ~ .http..                       | io.netty.handler.codec.http.. io.netty.handler.codec.http2..
            core   | .cache..                        | .pipeline.. .destination.. .credential.. .transport..
            core   | .credential..                   | .pipeline.. .transport.. .retry.. .destination..
            core   | .destination..                  | .pipeline.. .transport..
            core   | .egress..                       | .http.. .pipeline.. .transport.. .retry.. .credential.. .destination..
            core   | .http.. .retry..                | .pipeline.. .transport.. .credential.. .destination..
            core   | .http.connection..              | .http.client.. .http.pool.. .http.connect
            core   | .pipeline.call..                | .pipeline .pipeline.capacity.. .pipeline.intake.. .pipeline.outbox.. .pipeline.publish.. .pipeline.worker..
            core   | .pipeline.intake..              | .pipeline.worker..
            core   | .pipeline.outbox..              | .pipeline .pipeline.intake.. .pipeline.publish.. .pipeline.worker..
            core   | .pipeline.publish..             | .pipeline .pipeline.intake.. .pipeline.worker..
            core   | .pipeline.worker..              | .pipeline.intake..
            core   | .trace..                        | .pipeline.. .destination.. .credential..
            kafka  | ..                              | .pipeline.. .http.. .egress.. .retry.. .message.. .node.. .rabbit.. .testkit..
            rabbit | ..                              | .pipeline.. .http.. .egress.. .retry.. .message.. .node.. .kafka.. .testkit..
            rabbit | ~ .rabbit.connection.Connector  | com.rabbitmq.client.ConnectionFactory
            rabbit | ~ .rabbit.connection.Connector .rabbit.connection.InboundGuard .rabbit.connection.EventLoopThread .rabbit.connection.TlsContexts | io.netty..
            testkit | ..                             | .node.. .kafka.. .rabbit..
            door   | .door.route.. .door.server..    | .door.local.. .client.. .pipeline..
            door   | ~ .door.http.. .door.listener.. .door.route.. .door.server.. | com.linecorp.armeria..
            node   | .node.metrics..                 | .node .node.admin.. .node.broker.. .node.cli.. .node.cluster.. .node.consul.. .node.logging.. .node.problem.. .node.reload.. .node.runtime.. .node.tracing.. .node.tuning..
            node   | .node.admin..                   | .node .node.broker.. .node.cli.. .node.cluster.. .node.consul.. .node.logging.. .node.metrics.. .node.problem.. .node.reload.. .node.runtime.. .node.tracing.. .node.tuning..
            node   | .node.cluster.. .node.consul.. .node.problem.. .node.reload.. .node.tracing.. .node.tuning.. | .node .node.admin.. .node.broker.. .node.cli.. .node.metrics.. .node.runtime..
            node   | ~ .node.redis..                 | io.lettuce.. reactor..
            """)
    void dependenciesPointInward(String module, String users, String forbidden) {
        noClasses()
                .that(are(users, "~"))
                .should()
                .dependOnClassesThat(are(forbidden, "only"))
                .check(ProjectClasses.of(module));
    }

    @Test
    void theNodeUsesThePipelineOnlyThroughItsRootItsEventsAndItsSettings() {
        DescribedPredicate<JavaClass> parts = are(
                ".pipeline.call.. .pipeline.capacity.. .pipeline.intake.. .pipeline.outbox.. .pipeline.publish.. .pipeline.worker..",
                "~");

        noClasses()
                .should()
                .dependOnClassesThat(parts.and(describe(
                        "are no settings", each -> !each.getSimpleName().endsWith("Settings"))))
                .check(ProjectClasses.of("node"));
    }

    /** Returns a predicate for the classes and packages of a list, or for all others if it starts with this word. */
    private static DescribedPredicate<JavaClass> are(String list, String negation) {
        boolean others = list.startsWith(negation + " ");
        List<String> patterns = List.of((others ? list.substring(negation.length() + 1) : list).split(" "));
        return describe("are " + list, each -> others != patterns.stream().anyMatch(pattern -> matches(pattern, each)));
    }

    private static boolean matches(String pattern, JavaClass each) {
        String name = pattern.matches("\\.[a-z].*") ? PREFIX + pattern.substring(1) : pattern;
        return each.getFullName().equals(name)
                || each.getFullName().startsWith(name + "$")
                || PackageMatcher.of(name).matches(each.getPackageName());
    }
}
