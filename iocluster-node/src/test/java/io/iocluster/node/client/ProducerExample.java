package io.iocluster.node.client;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The producers in {@code examples}. Installs their dependencies below {@code target} if they are missing. */
enum ProducerExample {
    PYTHON("python.sh", "py") {
        @Override
        List<String> run(Path file) {
            return List.of(folder().resolve("bin/python").toString(), file.toString());
        }

        @Override
        List<String> program(String queue) {
            return List.of(folder().resolve("bin/python").toString(), "../examples/python/" + queue + "_calls.py");
        }

        @Override
        List<String> packages() throws IOException {
            return Files.readAllLines(Path.of("../examples/python/requirements.txt"));
        }
    },
    GO("go-example.sh", "go") {
        @Override
        List<String> run(Path file) {
            return List.of("go", "-C", "../examples/go", "run", file.toString());
        }

        @Override
        List<String> program(String queue) {
            return List.of(folder().resolve(queue + "-calls").toString());
        }
    },
    NODE("node-example.sh", "mjs") {
        /** Copies the file, because Node.js searches packages in the folder of the program. */
        @Override
        List<String> run(Path file) throws IOException {
            Path copy = Files.copy(file, folder().resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            return List.of("node", copy.toString());
        }

        @Override
        List<String> program(String queue) {
            return List.of("node", folder().resolve(queue + "-calls.js").toString());
        }
    };

    private static final int NO_TOOLCHAIN = 3;

    private final String installer;
    private final String extension;

    ProducerExample(String installer, String extension) {
        this.installer = installer;
        this.extension = extension;
    }

    /** Returns the command line that runs a file of source code. */
    abstract List<String> run(Path file) throws IOException;

    /** Returns the extension of files of source code. */
    String extension() {
        return extension;
    }

    /** Returns the command line of the program for {@code kafka} or {@code rabbit}, without arguments. */
    abstract List<String> program(String queue);

    List<String> packages() throws IOException {
        return List.of();
    }

    Path folder() {
        return Path.of("target", name().toLowerCase(Locale.ROOT) + "-example").toAbsolutePath();
    }

    /** Returns whether this machine has the toolchain of the language; {@code bin/test} reports missing ones. */
    boolean install() throws IOException, InterruptedException {
        List<String> commandLine = new ArrayList<>(List.of("bash", "../bin/lib/" + installer, folder().toString()));
        commandLine.addAll(packages());
        Process process = new ProcessBuilder(commandLine)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        int code = process.waitFor();
        if (code != 0 && code != NO_TOOLCHAIN) {
            throw new AssertionError(String.join(" ", commandLine) + " exited with " + code);
        }
        return code == 0;
    }
}
