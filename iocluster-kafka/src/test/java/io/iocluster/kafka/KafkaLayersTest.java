package io.iocluster.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Checks the dependencies of this transport and of the testkit. */
class KafkaLayersTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.kafka", "io.iocluster.testkit");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.(**)").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void theTransportDoesNotDependOnThePipelineOrTheHttpClient() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.iocluster.pipeline..",
                        "io.iocluster.http..",
                        "io.iocluster.egress..",
                        "io.iocluster.retry..",
                        "io.iocluster.message..")
                .check(ALL);
    }

    @Test
    void theTransportDoesNotDependOnNodeTestkitOrOtherTransports() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.node..", "io.iocluster.rabbit..", "io.iocluster.testkit..")
                .check(ALL);
    }

    @Test
    void theTestkitDoesNotDependOnNodeOrTransports() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.node..", "io.iocluster.kafka..", "io.iocluster.rabbit..")
                .check(ALL);
    }
}
