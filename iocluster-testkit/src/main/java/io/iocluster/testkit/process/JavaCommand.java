package io.iocluster.testkit.process;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One JVM to start.
 *
 * @param classPath as {@code java -cp} takes it, folders with {@code *} included
 * @param jvmFlags such as {@code -Xmx512m}
 * @param mainClass has a public {@code main}
 * @param log takes standard output and error
 */
public record JavaCommand(String classPath, List<String> jvmFlags, String mainClass, List<String> args, Path log) {

    /** A JVM flag that has the child log warnings only, to its log, whatever logging the class path configures. */
    public static final String QUIET_LOGGING_FLAG =
            "-Dlogback.configurationFile=io/iocluster/testkit/process/quiet-logback.xml";

    /**
     * A system property with flags for every JVM that this one starts, ahead of its own and separated by blanks. Tests set it,
     * whose JVMs live for seconds.
     */
    public static final String JVM_FLAGS_PROPERTY = "iocluster.jvm.flags";

    public JavaCommand {
        jvmFlags = List.copyOf(jvmFlags);
        args = List.copyOf(args);
    }

    /** The class path of this JVM itself. */
    public static String ownClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    List<String> commandLine() {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("--enable-native-access=ALL-UNNAMED"); // Netty's transport, of which newer JVMs warn.
        line.addAll(commonFlags());
        line.addAll(jvmFlags);
        line.add("-cp");
        line.add(classPath + File.pathSeparator + testkit());
        line.add(ParentMonitor.class.getName());
        line.add(Long.toString(ProcessHandle.current().pid()));
        line.add(mainClass);
        line.addAll(args);
        return line;
    }

    private static List<String> commonFlags() {
        String flags = System.getProperty(JVM_FLAGS_PROPERTY, "").trim();
        return flags.isEmpty() ? List.of() : List.of(flags.split("\\s+"));
    }

    /** Where the leash itself is loaded from, so that a child with a class path of its own finds it. */
    private static String testkit() {
        try {
            return Path.of(ParentMonitor.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
