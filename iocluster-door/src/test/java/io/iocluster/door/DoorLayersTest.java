package io.iocluster.door;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class DoorLayersTest {

    private static final JavaClasses DOOR = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster.door");

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.iocluster.door.(**)").should().beFreeOfCycles().check(DOOR);
    }

    @Test
    void theRoutesDoNotKnowWhoMakesTheCalls() {
        noClasses()
                .that()
                .resideInAnyPackage("io.iocluster.door.route..", "io.iocluster.door.server..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.iocluster.door.local..", "io.iocluster.client..", "io.iocluster.pipeline..")
                .check(DOOR);
    }

    @Test
    void onlyTheHttpPackagesDependOnTheServer() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.iocluster.door.http..",
                        "io.iocluster.door.listener..",
                        "io.iocluster.door.route..",
                        "io.iocluster.door.server..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.linecorp.armeria..")
                .check(DOOR);
    }
}
