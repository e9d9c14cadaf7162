package io.iocluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;

/** Checks that dependencies point inward and that each library is used by one package only. */
class CoreLayersTest {

    private static final JavaClasses CORE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> location.contains("iocluster-core") || location.contains("iocluster-api"))
            .importPackages("io.iocluster");

    @Test
    void egressDependsOnNoCaller() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.egress..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.http..",
                        "io.iocluster.pipeline..",
                        "io.iocluster.transport..",
                        "io.iocluster.retry..",
                        "io.iocluster.credential..",
                        "io.iocluster.destination.."));
    }

    @Test
    void destinationsDependOnNoPipelineAndNoTransport() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.destination..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.pipeline..", "io.iocluster.transport.."));
    }

    @Test
    void packagesHaveNoCycles() {
        check(slices().matching("io.iocluster.(**)").should().beFreeOfCycles());
    }

    @Test
    void callsDependOnNoPartOfThePipelineButItsEvents() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.pipeline.call..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline",
                        "io.iocluster.pipeline.capacity..",
                        "io.iocluster.pipeline.intake..",
                        "io.iocluster.pipeline.outbox..",
                        "io.iocluster.pipeline.publish..",
                        "io.iocluster.pipeline.worker.."));
    }

    @Test
    void publishingDependsOnNoWorkerAndNoIntake() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.pipeline.publish..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline", "io.iocluster.pipeline.intake..", "io.iocluster.pipeline.worker.."));
    }

    @Test
    void theOutboxDependsOnNoCaller() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.pipeline.outbox..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline",
                        "io.iocluster.pipeline.intake..",
                        "io.iocluster.pipeline.publish..",
                        "io.iocluster.pipeline.worker.."));
    }

    @Test
    void intakeAndWorkersDoNotDependOnEachOther() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.pipeline.intake..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.iocluster.pipeline.worker.."));
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.pipeline.worker..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.iocluster.pipeline.intake.."));
    }

    @Test
    void httpAndRetryDoNotDependOnThePipeline() {
        check(noClasses()
                .that()
                .resideInAnyPackage("io.iocluster.http..", "io.iocluster.retry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..",
                        "io.iocluster.transport..",
                        "io.iocluster.credential..",
                        "io.iocluster.destination.."));
    }

    @Test
    void credentialsDependOnNoCaller() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.credential..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..",
                        "io.iocluster.transport..",
                        "io.iocluster.retry..",
                        "io.iocluster.destination.."));
    }

    @Test
    void traceDoesNotDependOnThePipeline() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.trace..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..", "io.iocluster.destination..", "io.iocluster.credential.."));
    }

    @Test
    void onlyHttpUsesNettysCodecs() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler.codec.http..", "io.netty.handler.codec.http2.."));
    }

    @Test
    void connectionsDependOnNoPoolAndNoAttempt() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.http.connection..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.http.client..", "io.iocluster.http.pool..", "io.iocluster.http.connect"));
    }

    @Test
    void onlyLimitsAndTheSharedCacheUseResilience4jAndOnlyLimitsUseConcurrencyLimits() {
        check(noClasses()
                .that()
                .resideOutsideOfPackages("io.iocluster.destination.limit..", "io.iocluster.cache.shared..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.github.resilience4j.."));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.destination.limit..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.netflix.concurrency.."));
    }

    @Test
    void cachedResponsesDependOnNoCallAndOnlyTheyUseCaffeine() {
        check(noClasses()
                .that()
                .resideInAPackage("io.iocluster.cache..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..",
                        "io.iocluster.destination..",
                        "io.iocluster.credential..",
                        "io.iocluster.transport.."));
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.cache..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.github.benmanes.caffeine.."));
    }

    @Test
    void onlyTheEgressPolicyUsesIcu() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.egress..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.ibm.icu.."));
        check(noClasses().should().dependOnClassesThat().haveFullyQualifiedName("java.net.IDN"));
    }

    @Test
    void onlySignaturesUseTheAwsSdk() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.credential.signature..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("software.amazon.."));
    }

    @Test
    void coreUsesNoBrokerMetricsTracingCommandLineOrYamlLibrary() {
        check(noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.apache.kafka..",
                        "com.rabbitmq..",
                        "io.lettuce..",
                        "io.micrometer..",
                        "io.opentelemetry..",
                        "picocli..",
                        "org.yaml..",
                        "tools.jackson.dataformat.yaml.."));
    }

    private static void check(ArchRule rule) {
        rule.check(CORE);
    }
}
