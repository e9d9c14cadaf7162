package io.iocluster;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ApiLayersTest {

    private static final JavaClasses API = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> location.contains("iocluster-api"))
            .importPackages("io.iocluster");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.(**)").should().beFreeOfCycles().check(API);
    }

    @Test
    void messageDependsOnNoTransport() {
        noClasses()
                .that()
                .resideInAPackage("io.iocluster.message..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.iocluster.transport..")
                .check(API);
    }

    @Test
    void dependsOnNothingButTheJdkJacksonCoreAndSlf4j() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "tools.jackson.core..", "org.slf4j..", "io.iocluster..")
                .check(API);
    }
}
