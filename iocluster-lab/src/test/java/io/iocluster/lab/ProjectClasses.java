package io.iocluster.lab;

import static com.tngtech.archunit.base.DescribedPredicate.describe;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The classes of all modules, without tests. ArchUnit reads them once for all rules in a JVM. */
final class ProjectClasses {

    static final JavaClasses ALL = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.iocluster");

    private ProjectClasses() {}

    /** Returns the classes of a module, such as {@code core}. */
    static JavaClasses of(String module) {
        return ALL.that(describe("are in " + module, each -> isIn(module, each)));
    }

    static boolean isIn(String module, JavaClass each) {
        return each.getSource().orElseThrow().getUri().toString().contains("/iocluster-" + module);
    }
}
