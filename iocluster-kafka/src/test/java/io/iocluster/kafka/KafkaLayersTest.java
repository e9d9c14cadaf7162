package io.iocluster.kafka;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What this transport and the testkit beside it may know of the rest. */
class KafkaLayersTest {

    private static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.kafka", "io.iocluster.testkit");

    @Test
    void theTransportKnowsOfTheCoreOnlyWhatEveryTransportDoes() {
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
    void theTransportKnowsNoNodeNoOtherTransportAndNoTestkit() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.kafka..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.node..", "io.iocluster.rabbit..", "io.iocluster.testkit..")
                .check(ALL);
    }

    @Test
    void theTestkitKnowsNoNodeAndNoTransport() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.testkit..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.node..", "io.iocluster.kafka..", "io.iocluster.rabbit..")
                .check(ALL);
    }
}
