package io.iocluster.testkit.process;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command of a child JVM.
 *
 * @param classPath the value of {@code java -cp}; may have {@code *} wildcards
 * @param jvmFlags such as {@code -Xmx512m}
 * @param mainClass a class with a public {@code main}
 * @param log the file for standard output and error
 */
public record JavaCommand(String classPath, List<String> jvmFlags, String mainClass, List<String> args, Path log) {

    /** A JVM flag that makes the child log warnings only, whatever logging configuration is on the class path. */
    public static final String QUIET_LOGGING_FLAG =
            "-Dlogback.configurationFile=io/iocluster/testkit/process/quiet-logback.xml";

    /**
     * The system property with flags for every child JVM and its children, separated by spaces. They come before the
     * command's own flags. The build sets it for tests, because their JVMs run for seconds only.
     */
    public static final String JVM_FLAGS_PROPERTY = "iocluster.jvm.flags";

    public JavaCommand {
        jvmFlags = List.copyOf(jvmFlags);
        args = List.copyOf(args);
    }

    /** Returns the class path of this JVM. */
    public static String ownClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /**
     * Returns the class path of this JVM for a child with this main class. It has no folders if the class is in a jar, because
     * a JVM archives no classes if its class path has one.
     */
    public static String classPathFor(Class<?> mainClass) {
        if (!Files.isRegularFile(Path.of(locationOf(mainClass)))) {
            return ownClassPath();
        }
        return Stream.of(ownClassPath().split(File.pathSeparator))
                .filter(entry -> Files.isRegularFile(Path.of(entry)))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the archive of the child's classes, or nothing if it cannot have one. */
    Optional<ClassArchive> archive() {
        return ClassArchive.of(mainClass, wholeClassPath());
    }

    /**
     * Returns the words of the command.
     *
     * @param archiveFlags let the child map or write its {@link #archive}
     */
    List<String> commandLine(List<String> archiveFlags) {
        List<String> commandLine = new ArrayList<>();
        commandLine.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        commandLine.add("--enable-native-access=ALL-UNNAMED"); // Newer JVMs warn about Netty's native transport.
        commandLine.addAll(commonFlags());
        commandLine.addAll(inheritedProperties());
        commandLine.addAll(archiveFlags);
        commandLine.addAll(jvmFlags);
        commandLine.add("-cp");
        commandLine.add(wholeClassPath());
        commandLine.add(ParentMonitor.class.getName());
        commandLine.add(Long.toString(ProcessHandle.current().pid()));
        commandLine.add(mainClass);
        commandLine.addAll(args);
        return commandLine;
    }

    private static List<String> commonFlags() {
        String flags = System.getProperty(JVM_FLAGS_PROPERTY, "").trim();
        return flags.isEmpty() ? List.of() : List.of(flags.split("\\s+"));
    }

    /** Returns the properties that let the child start its own children as this JVM does. */
    private static List<String> inheritedProperties() {
        return Stream.of(JVM_FLAGS_PROPERTY, ClassArchive.FOLDER_PROPERTY)
                .filter(property -> !System.getProperty(property, "").isBlank())
                .map(property -> "-D" + property + "=" + System.getProperty(property))
                .toList();
    }

    /** Returns the class path with {@link ParentMonitor}, so that a child with another class path finds it. */
    private String wholeClassPath() {
        String monitor = locationOf(ParentMonitor.class);
        return List.of(classPath.split(File.pathSeparator)).contains(monitor)
                ? classPath
                : classPath + File.pathSeparator + monitor;
    }

    private static String locationOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
