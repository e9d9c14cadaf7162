package io.iocluster.node;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class NodeLayersTest {

    private static final JavaClasses NODE = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.node");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.node.(**)").should().beFreeOfCycles().check(NODE);
    }

    @Test
    void theNodeUsesThePipelineOnlyThroughItsRootItsEventsAndItsSettings() {
        noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                                "io.iocluster.pipeline.call..",
                                "io.iocluster.pipeline.capacity..",
                                "io.iocluster.pipeline.intake..",
                                "io.iocluster.pipeline.outbox..",
                                "io.iocluster.pipeline.publish..",
                                "io.iocluster.pipeline.worker..")
                        .and(not(simpleNameEndingWith("Settings"))))
                .check(NODE);
    }

    @Test
    void onlyTheRedisPackageUsesLettuceAndReactor() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.iocluster.node.redis..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.lettuce..", "reactor..")
                .check(NODE);
    }

    @Test
    void theMetricsDependOnNoFeature() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.node.metrics..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.node",
                        "io.iocluster.node.admin..",
                        "io.iocluster.node.broker..",
                        "io.iocluster.node.cli..",
                        "io.iocluster.node.cluster..",
                        "io.iocluster.node.consul..",
                        "io.iocluster.node.logging..",
                        "io.iocluster.node.problem..",
                        "io.iocluster.node.reload..",
                        "io.iocluster.node.runtime..",
                        "io.iocluster.node.tracing..",
                        "io.iocluster.node.tuning..")
                .check(NODE);
    }

    @Test
    void theAdminServerDependsOnNoFeature() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.node.admin..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.node",
                        "io.iocluster.node.broker..",
                        "io.iocluster.node.cli..",
                        "io.iocluster.node.cluster..",
                        "io.iocluster.node.consul..",
                        "io.iocluster.node.logging..",
                        "io.iocluster.node.metrics..",
                        "io.iocluster.node.problem..",
                        "io.iocluster.node.reload..",
                        "io.iocluster.node.runtime..",
                        "io.iocluster.node.tracing..",
                        "io.iocluster.node.tuning..")
                .check(NODE);
    }

    @Test
    void onlyTheRuntimeDependsOnTheFeatures() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.iocluster.node.cluster..",
                        "io.iocluster.node.consul..",
                        "io.iocluster.node.problem..",
                        "io.iocluster.node.reload..",
                        "io.iocluster.node.tracing..",
                        "io.iocluster.node.tuning..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.node",
                        "io.iocluster.node.admin..",
                        "io.iocluster.node.broker..",
                        "io.iocluster.node.cli..",
                        "io.iocluster.node.metrics..",
                        "io.iocluster.node.runtime..")
                .check(NODE);
    }
}
