package io.iocluster.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ClientLayersTest {

    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.client");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.(**)").should().beFreeOfCycles().check(CLIENT);
    }

    @Test
    void dependsOnTheApiAndNoLibrary() {
        classes()
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "java..",
                        "org.slf4j..",
                        "com.google.errorprone.annotations..",
                        "io.iocluster.client..",
                        "io.iocluster.message..",
                        "io.iocluster.settings..",
                        "io.iocluster.thread..",
                        "io.iocluster.transport..")
                .check(CLIENT);
    }
}
