package io.iocluster.lab.load.data;

import io.iocluster.lab.load.experiment.ExperimentFile;
import io.iocluster.lab.load.experiment.Feeder;
import io.iocluster.node.config.binding.FileReadError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.csv.CsvMapper;
import tools.jackson.dataformat.csv.CsvReadFeature;
import tools.jackson.dataformat.csv.CsvSchema;

/** Loads the rows of feeders into memory. */
final class FeederLoader {

    private static final int MAX_ROWS = 1_000_000;
    private static final long MAX_BYTES = 256L << 20;
    private static final int BYTE_ORDER_MARK = '\uFEFF';
    private static final JsonMapper JSON = new JsonMapper();
    private static final CsvMapper CSV = CsvMapper.builder()
            .enable(CsvReadFeature.TRIM_SPACES)
            .enable(CsvReadFeature.SKIP_EMPTY_LINES)
            .build();

    private FeederLoader() {}

    /**
     * Loads the rows of a feeder.
     *
     * @throws IOException if its file cannot be read, is too large or has no rows; the message starts with the file
     */
    static Rows load(ExperimentFile experiment, Feeder feeder) throws IOException {
        Rows.Table table = feeder.file().isEmpty() ? inline(feeder) : file(experiment.resolve(feeder.file()));
        if (feeder.order() != Feeder.Order.COMBINATIONS) {
            return table;
        }
        Rows combinations = feeder.file().isEmpty() ? combinations(feeder) : Rows.Combinations.of(table);
        try {
            combinations.count();
        } catch (ArithmeticException overflow) {
            throw new IOException("feeder " + feeder.name() + ": has too many combinations", overflow);
        }
        return combinations;
    }

    private static Rows combinations(Feeder feeder) {
        return new Rows.Combinations(
                List.copyOf(feeder.values().keySet()),
                List.copyOf(feeder.values().values()));
    }

    private static Rows.Table inline(Feeder feeder) {
        List<List<String>> columns = List.copyOf(feeder.values().values());
        List<String[]> rows = new ArrayList<>();
        int count = columns.stream().mapToInt(List::size).min().orElse(0);
        for (int row = 0; row < count; row++) {
            int index = row;
            rows.add(columns.stream().map(column -> column.get(index)).toArray(String[]::new));
        }
        return new Rows.Table(List.copyOf(feeder.values().keySet()), rows);
    }

    private static Rows.Table file(Path file) throws IOException {
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new IOException(file + ": is not a file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IOException(file + ": is larger than " + (MAX_BYTES >> 20) + " MiB");
            }
            Rows.Table table = file.toString().endsWith(".csv") ? csv(file) : ndjson(file);
            if (table.rows().isEmpty()) {
                throw new IOException(file + ": has no rows");
            }
            return table;
        } catch (NoSuchFileException missing) {
            throw new IOException(file + ": does not exist", missing);
        } catch (MalformedInputException notText) {
            throw new IOException(file + ": is not text in UTF-8", notText);
        } catch (FileSystemException unreadable) {
            throw new IOException(file + ": cannot be read: " + FileReadError.reason(file, unreadable), unreadable);
        }
    }

    /** Opens a file, and skips the byte order mark with which some programs start a text. */
    private static BufferedReader open(Path file) throws IOException {
        BufferedReader reader = Files.newBufferedReader(file);
        reader.mark(1);
        if (reader.read() != BYTE_ORDER_MARK) {
            reader.reset();
        }
        return reader;
    }

    private static Rows.Table csv(Path file) throws IOException {
        List<String[]> rows = new ArrayList<>();
        try (BufferedReader reader = open(file);
                MappingIterator<String[]> lines = CSV.readerFor(String[].class)
                        .with(CsvSchema.emptySchema())
                        .with(CsvReadFeature.WRAP_AS_ARRAY)
                        .readValues(reader)) {
            if (!lines.hasNext()) {
                throw new IOException(file + ": has no header line with the names of the fields");
            }
            String[] header = lines.next();
            while (lines.hasNext()) {
                String[] row = lines.next();
                if (row.length != header.length) {
                    throw new IOException(file + ": row " + (rows.size() + 1) + " has " + row.length
                            + " fields, but the header has " + header.length);
                }
                add(file, rows, row);
            }
            return new Rows.Table(List.of(header), rows);
        } catch (JacksonException damaged) {
            throw new IOException(
                    file + ": line " + damaged.getLocation().getLineNr() + ": " + damaged.getOriginalMessage(),
                    damaged);
        }
    }

    private static Rows.Table ndjson(Path file) throws IOException {
        Map<String, Integer> fields = new LinkedHashMap<>();
        List<String[]> rows = new ArrayList<>();
        try (BufferedReader reader = open(file)) {
            int number = 0;
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                number++;
                if (!line.isBlank()) {
                    add(file, rows, row(file, number, line, fields));
                }
            }
        }
        return new Rows.Table(List.copyOf(fields.keySet()), rows);
    }

    /** The fields of the first object are those of all. */
    private static String[] row(Path file, int number, String line, Map<String, Integer> fields) throws IOException {
        JsonNode tree;
        try {
            tree = JSON.readTree(line);
        } catch (JacksonException damaged) {
            throw new IOException(file + ":" + number + ": " + damaged.getOriginalMessage(), damaged);
        }
        if (!(tree instanceof ObjectNode object)) {
            throw new IOException(file + ":" + number + ": is not a JSON object");
        }
        if (fields.isEmpty()) {
            object.propertyNames().forEach(name -> fields.put(name, fields.size()));
        }
        if (fields.isEmpty()) {
            throw new IOException(file + ":" + number + ": has no fields");
        }
        String[] row = new String[fields.size()];
        for (Map.Entry<String, Integer> field : fields.entrySet()) {
            JsonNode value = object.get(field.getKey());
            if (value == null) {
                throw new IOException(
                        file + ":" + number + ": has no field " + field.getKey() + ", which the first line has");
            }
            row[field.getValue()] = value.isValueNode() ? value.asString() : value.toString();
        }
        return row;
    }

    private static void add(Path file, List<String[]> rows, String[] row) throws IOException {
        if (rows.size() == MAX_ROWS) {
            throw new IOException(file + ": has more than " + MAX_ROWS + " rows");
        }
        rows.add(row);
    }
}
