from spotlab.api.compare_runs import annotators as annotators
from spotlab.api.compare_runs import compare_runs as compare_runs
from spotlab.api.compare_runs import scalability as scalability
from spotlab.api.compare_systems import compare_systems as compare_systems
from spotlab.api.evaluate import evaluate as evaluate
from spotlab.api.hull_of_stroke import convert as convert
from spotlab.api.hull_of_stroke import hull_of_stroke as hull_of_stroke
from spotlab.api.hull_of_stroke import spot_propose as spot_propose
from spotlab.api.hull_of_stroke import validate as validate
from spotlab.api.read_run import read_run as read_run
from spotlab.api.read_truth import read_truth as read_truth
from spotlab.api.read_truth import write_truth as write_truth
from spotlab.api.rerank import rerank as rerank
from spotlab.api.spot_symbols import spot_symbols as spot_symbols
from spotlab.api.spot_words import adapt_words as adapt_words
from spotlab.api.spot_words import spot_words as spot_words
from spotlab.api.uncertain import displacement as displacement
from spotlab.api.uncertain import uncertain as uncertain
from spotlab.errors import BadArgument as BadArgument
from spotlab.errors import BadInput as BadInput
from spotlab.errors import BadLines as BadLines
from spotlab.errors import SpotlabError as SpotlabError
from spotlab.resources import sample_collection as sample_collection

__version__: str
